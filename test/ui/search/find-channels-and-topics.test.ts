import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {parseMessage} from '#content/parse-message.ts';
import * as eg from '#test/support/state-builders.ts';
import {accepted, labels, offered} from '#test/ui/completion-menu/completion-fixture.ts';
import {channelLinkText} from '#ui/search/find-channels-and-topics.ts';

test('channel completion: subscribed channels first, archived ones never', () => {
  expect(labels(offered('#des|'))).toEqual(['design', 'desserts']);
  expect(labels(offered('#dem|'))).toEqual([]);
  expect(offered('#sec|')?.options[0]).toMatchObject({label: 'secret plans', detail: 'private'});
});

test('channel completion: inserts a link and drills into topics', () => {
  expect(accepted('see #des|')).toBe('see #**design** |');
  expect(offered('#des|')?.options[0]?.drill).toBe('#**design>');
  expect(labels(offered('#**design>|'))).toEqual(['#design', 'old logo', 'launch', 'Lunch', 'logo']);
  expect(accepted('see #**design>| now')).toBe('see #**design** |now');
  expect(accepted('#**design>lau|')).toBe('#**design>launch** |');
  expect(accepted('#design>lau| now')).toBe('#**design>launch** |now');
  expect(accepted('#**design>lau|** now')).toBe('#**design>launch** |now');
});

test('topic completion: a new topic is offered last and marked', () => {
  expect(offered('#design>log|')?.options.at(-1)).toMatchObject({
    label: 'log',
    detail: 'new topic',
    isNew: true,
  });
  expect(offered('#design>logo|')?.options.some(({isNew}) => isNew === true)).toBe(false);
});

test('channel completion: names that break the short form become Markdown links', () => {
  expect(accepted('#dev|')).toBe('[#dev &gt; tools](#narrow/channel/2-dev-.3E-tools) |');
});

test('channel completion: a heading, a # inside a word and a URL open nothing', () => {
  expect(offered('# des|')).toBeUndefined();
  expect(offered('c#des|')).toBeUndefined();
  expect(offered('https://example.com/#des|')).toBeUndefined();
});

test('channelLinkText: for any channel and topic name, the link resolves to them', () => {
  const name = fc
    .stringMatching(/^[a-z *>&$`[\]@0-9.()_~:|-]{1,12}$/)
    .filter((text) => text.trim() === text && text !== '');
  fc.assert(
    fc.property(
      name,
      fc.option(name, {nil: undefined}),
      fc.option(fc.nat(999), {nil: undefined}),
      (channel, topic, id) => {
        const messageId = topic === undefined ? undefined : id;
        const state = eg.state({channels: eg.byId(eg.channel({id: 7, name: channel}))});
        const text = channelLinkText(state, {id: 7, name: channel}, topic, messageId);
        const [block] = parseMessage(`x ${text} y`, {
          channelByName: (typed) => (typed === channel ? {id: 7} : undefined),
        });
        const tokens = block?.type === 'paragraph' ? block.children : [];
        const token = tokens.find(({type}) => type === 'channel_link' || type === 'link');
        if (token?.type === 'channel_link') expect(token).toMatchObject({channelId: 7, topic, messageId});
        else {
          const terms = token?.type === 'link' ? (parseNarrowLink(token.href) ?? []) : [];
          const operand = (operator: string) => terms.find((term) => term.operator === operator)?.operand;
          expect([text, operand('channel'), operand('topic'), operand('near')]).toEqual([text, 7, topic, messageId]);
        }
      },
    ),
  );
});

test('field completion: channel and topic fields take names without a sign', () => {
  const field = (text: string, name: 'channel' | 'topic' | 'people') => offered(`${text}|`, {field: name});
  expect(labels(field('dess', 'channel'))).toEqual(['desserts']);
  expect(field('dess', 'channel')).toMatchObject({start: 0, end: 4, selects: 'first'});
  expect(field('dess', 'channel')?.options[0]?.insert).toBe('desserts');
  expect(field('desserts', 'channel')).toBeUndefined();
  expect(labels(field('lo', 'topic'))).toEqual(['logo', 'old logo', 'lo']);
  expect(field('lo', 'topic')?.selects).toBe('none');
  expect(field('logo', 'topic')?.options.map(({insert}) => insert)).toEqual(['logo', '✔ old logo']);
  expect(labels(field('', 'topic'))[0]).toBe('old logo');
});

test('people field: offers each person once; ambiguous names insert an address', () => {
  expect(accepted('Ann Lee, bo|', undefined, {field: 'people'})).toBe('Ann Lee, Bo Andersson, |');
  expect(labels(offered('Ann Lee, an|', {field: 'people'}))).not.toContain('Ann Lee');
  expect(accepted('sam|', undefined, {field: 'people'})).toBe('person14@example.com, |');
  expect(accepted('bo|, Ann Lee', undefined, {field: 'people'})).toBe('Bo Andersson|, Ann Lee');
  expect(offered(`Ann Lee, |`, {field: 'people', conversation: undefined})?.selects).toBe('none');
});

test('completion: without channels or a conversation nothing is offered', () => {
  const empty = eg.state({});
  expect(offered('#x|', {}, empty)).toBeUndefined();
  expect(offered('x|', {field: 'topic', conversation: undefined}, empty)).toBeUndefined();
});

test('file completion: drills into directories; hidden files only after a dot', () => {
  const files = [
    {name: 'notes.md', isDirectory: false},
    {name: 'nested', isDirectory: true},
    {name: '.netrc', isDirectory: false},
  ];
  const at = (text: string) => offered(`${text}|`, {field: 'file', files});
  expect(labels(at('/home/n'))).toEqual(['nested/', 'notes.md']);
  expect(at('/home/n')).toMatchObject({start: 6, end: 7});
  expect(labels(at('/home/.n'))).toEqual(['.netrc']);
});

test('file completion: without a query, directories first, sorted by name', () => {
  const files = ['zoo.txt', 'a', 'long-name.md'].map((name) => ({name, isDirectory: false}));
  const directories = ['yard', 'attic'].map((name) => ({name, isDirectory: true}));
  const found = offered('~/|', {field: 'file', files: [...files, ...directories]});
  expect(labels(found)).toEqual(['attic/', 'yard/', 'a', 'long-name.md', 'zoo.txt']);
});
