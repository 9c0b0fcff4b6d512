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
])('%j is stored as %j', (given, stored) => {
  expect(safeFilename(given)).toBe(stored);
});

test('a name that no file system takes is shortened, and keeps its extension', () => {
  const name = safeFilename(`${'é'.repeat(500)}.jpeg`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(name).toMatch(/é\.jpeg$/);
});

test('people see the name without directories and control characters', () => {
  expect(displayFilename('C:\\temp\\my (best) notes.txt')).toBe('my (best) notes.txt');
  expect(displayFilename('a\r\nb.txt')).toBe('ab.txt');
  expect(displayFilename('/')).toBe('uploaded-file');
});

test('no two files get the same place', () => {
  const paths = new Set(Array.from({length: 100}, () => newPathId('a.txt')));
  expect(paths.size).toBe(100);
});
