// Saves a chart as a PNG image with its title and legend. The image has no style sheet, so each shape gets the colors
// that it has on the screen.
import { saveFile } from "../../api/saveFile";

const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-family",
  "text-anchor",
];
const PADDING_PX = 24;
const LINE_PX = 26;
/** Pixels of the image for one of the screen, so that the image is sharp. */
const SCALE = 2;

/** A copy of the drawing that needs no style sheet. */
function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll("*");
  for (const [index, element] of [...copy.querySelectorAll("*")].entries()) {
    const original = originals[index];
    if (!original) continue;
    const computed = getComputedStyle(original);
    for (const style of STYLES) element.setAttribute(style, computed.getPropertyValue(style));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

async function imageOf(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  // The Content-Security-Policy allows images from data addresses.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

function drawLegend(context: CanvasRenderingContext2D, chart: Element, top: number) {
  let left = PADDING_PX;
  for (const entry of chart.querySelectorAll("[data-legend] li")) {
    const key = entry.querySelector("span");
    if (key) context.fillStyle = getComputedStyle(key).backgroundColor;
    context.fillRect(left, top - 11, 12, 12);
    context.fillStyle = getComputedStyle(entry).color;
    const text = entry.textContent ?? "";
    context.fillText(text, left + 20, top);
    left += 44 + context.measureText(text).width;
  }
}

/** Saves the chart inside `chart`. Throws if the chart is not drawn yet or the browser cannot make the image. */
export async function saveChart(chart: Element, title: string, name: string) {
  const drawing = chart.querySelector("svg.recharts-surface");
  if (!(drawing instanceof SVGSVGElement)) throw new Error("the chart is not drawn yet");
  const { width, height } = drawing.getBoundingClientRect();
  const image = await imageOf(standalone(drawing));
  const hasLegend = chart.querySelector("[data-legend]") !== null;
  const head = PADDING_PX + LINE_PX + (hasLegend ? LINE_PX : 0);
  const canvas = document.createElement("canvas");
  canvas.width = (width + 2 * PADDING_PX) * SCALE;
  canvas.height = (head + height + PADDING_PX) * SCALE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser draws no image");
  const page = getComputedStyle(document.documentElement);
  const { fontFamily } = getComputedStyle(document.body);
  context.scale(SCALE, SCALE);
  context.fillStyle = page.getPropertyValue("--surface");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.getPropertyValue("--text");
  context.font = `600 16px ${fontFamily}`;
  context.fillText(title, PADDING_PX, PADDING_PX + 14);
  context.font = `13px ${fontFamily}`;
  if (hasLegend) drawLegend(context, chart, PADDING_PX + LINE_PX + 14);
  context.drawImage(image, PADDING_PX, head, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the browser encodes no image");
  saveFile(blob, `${name}.png`);
}
