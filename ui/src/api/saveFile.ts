// Saves a file that the panel holds in memory.
export function saveFile(file: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the file after this function has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
