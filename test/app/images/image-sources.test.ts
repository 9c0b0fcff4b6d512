import {expect, test} from 'vitest';
import {imageSources} from '#app/images/image-store.ts';

const formats = [
  {name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true},
  {name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false},
  {name: '300x200.jpg', max_width: 300, max_height: 200, format: 'jpg', animated: false},
];
const upload = '/user_uploads/2/ab/cd/a%20b.png';
const thumbnail = (name: string) => `/user_uploads/thumbnail/2/ab/cd/a%20b.png/${name}`;

test.each<[string, string, readonly [number, number], readonly string[]]>([
  ['the smallest thumbnail with enough pixels', upload, [300, 150], [thumbnail('300x200.jpg'), upload]],
  ['the next one, if the smallest is too small', upload, [301, 150], [thumbnail('840x560.webp'), upload]],
  ['the image itself, if no thumbnail has enough pixels', upload, [1600, 800], [upload, thumbnail('840x560.webp')]],
  ['an address without a slash at its start', upload.slice(1), [10, 10], [thumbnail('300x200.jpg'), upload]],
  ['a file that is no upload', '/user_avatars/2/emoji/images/1.png', [10, 10], ['/user_avatars/2/emoji/images/1.png']],
  ['a thumbnail', thumbnail('300x200.jpg'), [900, 900], [thumbnail('300x200.jpg')]],
])('the addresses of an image: %s', (_, href, [width, height], expected) => {
  expect(imageSources(href, {width, height}, formats)).toEqual(expected);
});

test('the addresses of an image: a server without thumbnails has only the image', () => {
  expect(imageSources(upload, {width: 10, height: 10})).toEqual([upload]);
  expect(imageSources(upload, {width: 10, height: 10}, formats.slice(0, 1))).toEqual([upload]);
});
