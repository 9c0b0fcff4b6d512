/** Returns the placeholder in the text while a file uploads. */
export function uploadPlaceholder(name: string): string {
  return `[Uploading ${name.replaceAll(/[[\]]/g, '')}…]()`;
}

/** Returns the file name of the first placeholder in the text. */
export function placeholderFileName(text: string): string | undefined {
  return /\[Uploading ([^[\]\n]*)…\]\(\)/.exec(text)?.[1];
}
