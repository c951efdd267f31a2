// Paths in Merkle trees (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Sizes are above 32 bits, so shifts are divisions.
import { type Bytes, concat, equal, sha256 } from "./bytes";
import { need, type RefusalCode } from "./refusal";

export interface Tree {
  size: number;
  root: Bytes;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const nodeOf = (left: Bytes, right: Bytes) => sha256(concat(NODE, left, right));

const isOdd = (index: number) => index % 2 === 1;
const half = (index: number) => Math.floor(index / 2);

/** For each node of a path that begins at `index`, whether it stands to the left; undefined if the length is wrong. */
function sides(index: number, last: number, length: number): boolean[] | undefined {
  let [at, end] = [index, last];
  const found: boolean[] = [];
  for (let step = 0; step < length; step += 1) {
    if (end === 0) return undefined;
    const left = isOdd(at) || at === end;
    // The last node of a level has no sibling there: it goes up unchanged.
    while (left && !isOdd(at) && at !== 0) [at, end] = [half(at), half(end)];
    [at, end] = [half(at), half(end)];
    found.push(left);
  }
  return end === 0 ? found : undefined;
}

/** Refuses with `code` unless the path leads from the leaf at `index` to the tree's root. */
export async function checkInclusion(
  data: Bytes,
  index: number,
  tree: Tree,
  path: readonly Bytes[],
  code: RefusalCode,
  event?: number,
) {
  need(index < tree.size, code, event);
  const lefts = sides(index, tree.size - 1, path.length);
  need(lefts, code, event);
  let node = await sha256(concat(LEAF, data));
  for (const [step, sibling] of path.entries()) {
    node = await (lefts[step] ? nodeOf(sibling, node) : nodeOf(node, sibling));
  }
  need(equal(node, tree.root), code, event);
}

function isPowerOfTwo(size: number): boolean {
  let rest = size;
  while (!isOdd(rest)) rest = half(rest);
  return rest === 1;
}

/** Refuses unless the later tree begins with all leaves of the earlier one. Both have leaves. */
export async function checkConsistency(earlier: Tree, later: Tree, path: readonly Bytes[]) {
  if (earlier.size === later.size) {
    need(path.length === 0 && equal(earlier.root, later.root), "rewritten");
    return;
  }
  let [at, end] = [earlier.size - 1, later.size - 1];
  while (isOdd(at)) [at, end] = [half(at), half(end)];
  const [start, ...rest] = isPowerOfTwo(earlier.size) ? [earlier.root, ...path] : path;
  const lefts = sides(at, end, rest.length);
  need(start && lefts, "rewritten");
  let [before, after] = [start, start];
  for (const [step, node] of rest.entries()) {
    if (lefts[step]) [before, after] = await Promise.all([nodeOf(node, before), nodeOf(node, after)]);
    else after = await nodeOf(after, node);
  }
  need(equal(before, earlier.root) && equal(after, later.root), "rewritten");
}
