/** Returns a file name as Zulip's servers change it for paths. */
export function exportedFileName(name: string): string {
  const safe = name
    .normalize('NFKC')
    // Python does not count U+FEFF as a space.
    .replace(/[^\p{L}\p{N}_\s.-]|\uFEFF/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  return /^\.{0,2}$/.test(safe) ? 'uploaded-file' : safe;
}

/** Returns the path of an uploaded file in the export: its last part must be a file name that is not changed. */
export function exportedPath(pathId: string): string {
  const at = pathId.lastIndexOf('/') + 1;
  return pathId.slice(0, at) + exportedFileName(pathId.slice(at));
}
