import {expect, test} from 'vitest';
import type {MessageFacts} from '#content/message-facts.ts';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {renderContext} from './render-context-fixture.ts';

const client: RenderContext = {
  ...renderContext,
  followsRenames: true,
  channelById: (id) => (id === 3 ? {name: 'main hall'} : undefined),
  groupById: (id) => (id === 9 ? {id, name: 'developers', isSystem: false, isActive: true} : undefined),
};

function render(source: string, facts?: MessageFacts, options: Partial<RenderOptions> = {}): string[] {
  const all = {width: 60, linkNumbers: false, linkPreviews: true, ...options};
  return renderMessage({source, facts}, client, all).lines.map(lineToText);
}

test('render: a mention with an id shows the user’s current name, also in a quote', () => {
  expect(render('@**Old Name|7** and @_**Older|7**\n> @**Oldest|7**')).toEqual(['@Zoe and Zoe', '▌ Zoe']);
});

test('render: a mention with an id and the name in another case is text, as on servers, unless the server rendered it', () => {
  expect(render('@**zoe|7**')).toEqual(['@zoe|7']);
  expect(render('@**zoe|7**', {isRendered: true, users: {'zoe|7': 7}})).toEqual(['@Zoe']);
});

test('render: names that are no longer in use show what they meant when the message was written', () => {
  const facts = {users: {'old name': 7}, groups: {devs: 9}, channels: {hall: 3}};
  expect(render('@**Old Name** @*devs* #**hall** #**hall>tides** #**hall>tides@5**', facts)).toEqual([
    '@Zoe @developers #main hall #main hall › tides #main hall ›',
    'tides @ 💬',
  ]);
});

test('render: a mention of a user whom the reader cannot see shows the name in the text', () => {
  expect(render('@**Guest of Honour** @**Ghost|99**')).toEqual(['@Guest of Honour @Ghost|99']);
  const facts = {isRendered: true, users: {'guest of honour': 98, ghost: 99}};
  expect(render('@**Guest of Honour** @**Ghost|99**', facts)).toEqual(['@Guest of Honour @Ghost']);
});

test('render: a mention that the server made silent has no @', () => {
  expect(render('@**Zoe** and @**Iago**', {users: {zoe: 7, iago: 5}, silentUserIds: [7]})).toEqual(['Zoe and @Iago']);
});

test('render: an uploaded image shows its dimensions, and its type where the name does not tell', () => {
  const image = {width: 640, height: 480, contentType: 'image/png'};
  const facts = {images: {'/user_uploads/2/a/sun.png': image, '/user_uploads/2/b/sun': image}};
  const source = '[sun.png](/user_uploads/2/a/sun.png) [sun](/user_uploads/2/b/sun)';
  expect(render(source, facts)).toEqual(['[image: sun.png, 640×480] [image: sun, 640×480 PNG]']);
  expect(render(source, facts, {glyphs: asciiGlyphs})).toEqual(['[image: sun.png, 640x480] [image: sun, 640x480 PNG]']);
});

test('render: a link preview is one line each for title and description, unless switched off', () => {
  const previews = [{url: 'https://t.example', title: 'Tide\ntable', description: 'High water. '.repeat(10)}];
  expect(render('see https://t.example', {previews}, {width: 30})).toEqual([
    'see https://t.example',
    '▌ Tide table',
    '▌ High water. High water. Hig…',
  ]);
  expect(render('see https://t.example', {previews}, {linkPreviews: false})).toEqual(['see https://t.example']);
});

test('render: of several linked pages the first three have previews', () => {
  const previews = [1, 2, 3, 4].map((at) => ({url: `https://t.example/${at}`, title: `Tide table ${at}`}));
  expect(render('tides', {previews})).toEqual(['tides', '▌ Tide table 1', '▌ Tide table 2', '▌ Tide table 3']);
});

test('render: what linkifiers linked when the message was sent stays, what they would link now is not linked', () => {
  const links = (source: string, facts?: MessageFacts) =>
    renderMessage({source, facts}, client, {width: 60}).links.map(({text, url}) => `${text} ${url}`);
  expect(links('#7 T-{5}')).toEqual(['#7 https://trac.example.com/7']);
  const facts = {isRendered: true, links: {'T-{5}': 'https://old.example/5'}};
  expect(links('#7 T-{5}', facts)).toEqual(['T-{5} https://old.example/5']);
});
