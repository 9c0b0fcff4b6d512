import {expect, test} from 'vitest';
import {displayFilename, newPathId, safeFilename} from '#server/uploads/upload-path.ts';

test.each([
  ['report.pdf', 'report.pdf'],
  ['my  long - name.txt', 'my-long-name.txt'],
  ['../../etc/passwd', '....etcpasswd'],
  ['a/b\\c:d*e?f"g<h>i|j', 'abcdefghij'],
  ['', 'uploaded-file'],
  ['.', 'uploaded-file'],
  ['..', 'uploaded-file'],
  ['???', 'uploaded-file'],
  ['日本語.txt', '日本語.txt'],
  ['ﬁle.txt', 'file.txt'],
  ['a\0b\nc.txt', 'ab-c.txt'],
  ['\ud800.txt', '.txt'],
])('upload path: %j is stored as %j', (filename, stored) => {
  expect(safeFilename(filename)).toBe(stored);
});

test('upload path: a name that is too long for file systems is shortened and keeps its extension', () => {
  const name = safeFilename(`${'é'.repeat(500)}.jpeg`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(name).toMatch(/é\.jpeg$/);
});

test('upload path: the display name has no directories and control characters', () => {
  expect(displayFilename('C:\\temp\\my (best) notes.txt')).toBe('my (best) notes.txt');
  expect(displayFilename('a\r\nb.txt')).toBe('ab.txt');
  expect(displayFilename('/')).toBe('uploaded-file');
});

test('upload path: equal names get different paths', () => {
  const paths = new Set(Array.from({length: 100}, () => newPathId('a.txt')));
  expect(paths.size).toBe(100);
});
