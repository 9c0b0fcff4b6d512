const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * An address that may be handed to other programs, spelled so that it is printable ASCII without spaces and begins with
 * its scheme; undefined for everything that is not of the web.
 */
export function openableAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !schemes.has(url.protocol)) return undefined;
  return /^[\u0021-\u007e]+$/.test(url.href) ? url.href : undefined;
}
