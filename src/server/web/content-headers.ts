import {typeByName} from '#std/media-type.ts';

/** The types that a browser may display inline: none that can contain a script. */
const inlineTypes = new Set([
  'application/pdf',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/webm',
]);

/** Returns the headers of an uploaded file. Its uploader chose name and type, so neither may make a browser run it. */
export function contentHeaders(name: string, claimedType: string): Record<string, string> {
  const claimed = claimedType.split(';')[0]?.trim().toLowerCase() ?? '';
  const type = inlineTypes.has(claimed) ? claimed : (typeByName(name) ?? '');
  const isInline = inlineTypes.has(type) && !isActive(claimed);
  const shownType = isInline ? type : 'application/octet-stream';
  return {
    'content-type': shownType === 'text/plain' ? 'text/plain; charset=utf-8' : shownType,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${filenameParameter(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
}

/** Returns whether the claimed type can contain a script, whatever the file's extension is. */
function isActive(type: string): boolean {
  return /html|svg|xml|script/.test(type);
}

function filenameParameter(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
