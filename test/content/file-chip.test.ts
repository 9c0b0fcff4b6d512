import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fileChipText, fileKind, fileName, isUpload, shortenMiddle} from '#content/file-chip.ts';
import {expectHarmless, expectLinearTime, hostileText} from './hostile-text.ts';

test.each([
  [{name: 'sunset.png', href: '/user_uploads/2/ab/sunset.png'}, '[image: sunset.png]'],
  [{name: 'A nice evening', href: '/user_uploads/2/ab/sunset.PNG'}, '[image: A nice evening]'],
  [{name: '', href: '/user_uploads/2/ab/my%20plan.pdf'}, '[file: my plan.pdf]'],
  [{name: '/user_uploads/2/ab/song.mp3', href: '/user_uploads/2/ab/song.mp3'}, '[audio: song.mp3]'],
  [{name: '', href: 'https://chat.example.com/user_uploads/2/ab/clip.webm?x=1#y'}, '[video: clip.webm]'],
  [{kind: 'audio', name: '', href: '/user_uploads/2/ab/voice'}, '[audio: voice]'],
  [{name: '', href: '/user_uploads/2/ab/'}, '[file]'],
  [{name: '', href: '/user_uploads/2/ab/%E0%A4%A'}, '[file: %E0%A4%A]'],
  [{name: '', href: '/user_uploads/2/ab/%1b%5d0;x%07.png'}, '[image: ]0;x.png]'],
  [{name: 'a\u202egnp.exe', href: '/user_uploads/2/ab/x.exe'}, '[file: agnp.exe]'],
  [{name: 'a\nb\tc', href: '/x'}, '[file: a b c]'],
] as const)('fileChipText: %o is shown as %s', (chip, text) => {
  expect(fileChipText(chip)).toBe(text);
});

test('shortenMiddle: a long name is cut in the middle', () => {
  const text = fileChipText({name: `${'very '.repeat(40)}long.tar.gz`, href: ''});
  expect(text).toBe('[file: very very very very very…y very very long.tar.gz]');
  expect(shortenMiddle('abcdefghij', 5)).toBe('ab…ij');
  expect(shortenMiddle('abcdefghij', 10)).toBe('abcdefghij');
  expect(shortenMiddle('abc', 1)).toBe('…');
  expect(shortenMiddle('👨‍👩‍👧👍🏽🇩🇪abc', 4)).toBe('👨‍👩‍👧👍🏽…c');
});

test('fileKind: the extension decides', () => {
  expect(['a.jpeg', 'a.OGG', 'a.mov', 'a.zip', 'png', '.png', 'a.png.exe', ''].map(fileKind)).toEqual([
    'image',
    'audio',
    'video',
    'file',
    'file',
    'image',
    'file',
    'file',
  ]);
});

test('isUpload: only relative links to user_uploads are uploads', () => {
  for (const href of ['/user_uploads/1/x', 'user_uploads/1/x']) {
    expect(isUpload(href)).toBe(true);
  }
  for (const href of [
    'https://a.example/user_uploads/1/x',
    '//a/user_uploads/1',
    '/x/user_uploads/1',
    '#user_uploads/',
  ]) {
    expect(isUpload(href)).toBe(false);
  }
});

test('file chips: hostile names and URLs give no control characters', () => {
  fc.assert(
    fc.property(
      hostileText(['%1b', '%0a', '%e2%80%ae', '/', '.png', '?']),
      hostileText(['/user_uploads/']),
      (href, name) => {
        expectHarmless(fileChipText({name, href}));
        expectHarmless(fileName(href) ?? '');
      },
    ),
  );
});

test('file chips: time is linear in the length', () => {
  expectLinearTime((length) => fileChipText({name: 'e\u0301'.repeat(length), href: '%41'.repeat(length)}), 5000);
  expectLinearTime((length) => isUpload('//'.repeat(length)), 5000);
});
