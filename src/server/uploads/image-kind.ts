/** The image types that are served as images. SVG is not among them, because it can contain scripts. */
const kinds = [
  {extension: 'png', type: 'image/png', magic: /^\x89PNG\r\n\x1a\n/},
  {extension: 'jpg', type: 'image/jpeg', magic: /^\xff\xd8\xff/},
  {extension: 'gif', type: 'image/gif', magic: /^GIF8[79]a/},
  {extension: 'webp', type: 'image/webp', magic: /^RIFF[\s\S]{4}WEBP/},
  {extension: 'avif', type: 'image/avif', magic: /^[\s\S]{4}ftypavif/},
] as const;

export type ImageKind = (typeof kinds)[number];

/** Returns the image type by the file's first bytes, regardless of its name. */
export function imageKind(head: Buffer): ImageKind | undefined {
  const text = head.toString('latin1');
  return kinds.find(({magic}) => magic.test(text));
}

export function imageType(filename: string): string | undefined {
  return kinds.find(({extension}) => filename.endsWith(`.${extension}`))?.type;
}
