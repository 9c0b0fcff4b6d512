import {expect, test} from 'vitest';
import {imageSize} from '#std/image-size.ts';
import {testServer} from '#test/support/server.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

test.each([
  ['png', png, {width: 1, height: 1}],
  ['gif', hex('474946383961 0a00 1400'), {width: 10, height: 20}],
  ['jpeg', hex('ffd8 ffe0 0004 0000 ffc0 0011 08 0030 0040 03'), {width: 64, height: 48}],
  [
    'webp, extended',
    Buffer.concat([Buffer.from('RIFF____WEBPVP8X________'), hex('630000 310000')]),
    {width: 100, height: 50},
  ],
  ['a cut-off jpeg', hex('ffd8 ffe0 0004'), undefined],
  ['text', Buffer.from('just words, quite a few of them'), undefined],
])('image previews: the size of %s is read from its first bytes', (_kind, head, size) => {
  expect(imageSize(head)).toEqual(size);
});

test('image previews: a link to an uploaded image is previewed and found by has:image', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const client = server.as(meg);
  server.people.channel('general', [meg]);
  const {body} = await client.upload('/user_uploads', 'dot.png', new Uint8Array(png), 'image/png');
  const content = `[dot](${body.url})`;
  const {id} = await client.post('/messages', {type: 'stream', to: 'general', topic: 't', content});
  const narrow = [{operator: 'has', operand: 'image'}];
  const {messages} = await client.get('/messages', {anchor: 'newest', num_before: 5, num_after: 0, narrow});
  expect(messages).toMatchObject([{id}]);
  expect(messages[0].content).toContain('data-original-dimensions="1x1"');
});

test('image previews: an image that the sender may not read is not previewed', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const {body} = await server.as(meg).upload('/user_uploads', 'dot.png', new Uint8Array(png), 'image/png');
  const {rendered} = await server.as(otto).post('/messages/render', {content: `![dot](${body.url})`});
  expect(rendered).not.toContain('1x1');
});
