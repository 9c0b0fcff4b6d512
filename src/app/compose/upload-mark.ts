/** What stands in the text while a file is on its way. */
export function uploadPlaceholder(name: string): string {
  return `[Uploading ${name.replaceAll(/[[\]]/g, '')}…]()`;
}

/** The file whose mark is in the text, the first of them. */
export function placeholderFileName(text: string): string | undefined {
  return /\[Uploading ([^[\]\n]*)…\]\(\)/.exec(text)?.[1];
}
