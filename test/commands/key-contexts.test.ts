import {expect, test} from 'vitest';
import {continuations, defaultKeymap, resolveKeys, withBindings} from '#commands/keymap.ts';

const keymap = withBindings(defaultKeymap, [
  {context: 'global', sequence: 'F9 a', id: 'outer.command'},
  {context: 'global', sequence: 'F9 b', id: 'outer.only'},
  {context: 'inbox', sequence: 'F9 a', id: 'inner.command'},
]);
const contexts = ['inbox', 'list', 'nav', 'global'] as const;

test('key contexts: the innermost context decides what a key does, and the guide says so', () => {
  expect(resolveKeys(keymap, contexts, ['F9', 'a'])).toEqual({kind: 'command', id: 'inner.command', context: 'inbox'});
  expect(resolveKeys(keymap, contexts, ['F9', 'b'])).toMatchObject({id: 'outer.only', context: 'global'});
  expect(continuations(keymap, contexts, ['F9'])).toEqual([
    {key: 'a', id: 'inner.command'},
    {key: 'b', id: 'outer.only'},
  ]);
  expect(continuations(keymap, ['nav', 'global'], ['F9'])).toMatchObject([{id: 'outer.command'}, {id: 'outer.only'}]);
});

test('key contexts: the beginning of a sequence runs nothing, and neither does an unknown key', () => {
  expect(resolveKeys(keymap, contexts, ['F9'])).toEqual({kind: 'prefix'});
  expect(resolveKeys(keymap, contexts, ['F9', 'c'])).toEqual({kind: 'none'});
  expect(continuations(keymap, contexts, ['F9', 'a'])).toEqual([]);
});
