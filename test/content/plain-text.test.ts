import {expect, test} from 'vitest';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import {renderContext} from '#test/content/render/render-context-fixture.ts';

const groupByName = () => ({id: 1, name: 'role:moderators', isSystem: true, isActive: true});

test.each([
  ['```spoiler The *end*\nthey **met**\n```', 'The end\nthey met'],
  ['a | *b*\n--|--\n1 | 2\n3 | 4', 'a b\n1 2\n3 4'],
  ['* one\n* two\n  * three', 'one\ntwo\nthree'],
  ['> said\n\n# Title\n```js\nlet a;\n```', 'said\nTitle\nlet a;'],
  ['@**Zoe** @_**Zoe** @**all** @*role:moderators*', '@Zoe Zoe @all @Moderators'],
  ['#**general** #**general>tides** #**general>tides@7**', '#general #general > tides #general > tides @ 💬'],
  ['[a link](https://x.org) ~~gone~~ :tada: :party:', 'a link gone 🎉 :party:'],
])('plain text: %j is %j', (source, text) => {
  expect(plainText(parseMessage(source, {...renderContext, groupByName})).trim()).toBe(text);
});
