import {expect, test} from 'vitest';
import {parseMessage} from '#content/parse-message.ts';
import {directConversation} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {accepted, completionState, ids, labels, nowMs, offered} from '#test/ui/completion-menu/completion-fixture.ts';
import {nameContext} from '#ui/warnings/message-references.ts';

test('mention completion: ranks participants, correspondents, groups, others, then bots', () => {
  expect(labels(offered('@an|'))).toEqual(['Bo Andersson', 'Anna Bell', 'android team', 'Ann Lee', 'Andbot']);
});

test('mention completion: deactivated and muted people and deactivated groups are left out', () => {
  const all = labels(offered('hi @|'));
  expect(all).toContain('Ann Lee');
  expect(all).not.toContain('Andy Gone');
  expect(all).not.toContain('Anders Muted');
  expect(all).not.toContain('and old');
  expect(all).not.toContain('role:members');
});

test('mention completion: prefix matches come before others', () => {
  expect(labels(offered('@lee|'))).toEqual(['Ann Lee']);
  expect(labels(offered('@ell|'))[0]).toBe('Anna Bell');
  expect(labels(offered('@nna|'))).toEqual(['Anna Bell']);
});

test('mention completion: inserts the mention with a trailing space', () => {
  expect(accepted('hi @ann l|')).toBe('hi @**Ann Lee** |');
  expect(accepted('hi @ann l| there')).toBe('hi @**Ann Lee** |there');
  expect(accepted('hi @**Ann L|** there')).toBe('hi @**Ann Lee** |there');
  expect(accepted('(@_ann l|')).toBe('(@_**Ann Lee** |');
  expect(accepted('@andro|')).toBe('@*android team* |');
  expect(accepted('@_role|')).toBe('@_*role:members* |');
});

test('mention completion: people of the same name are distinguished and mentioned by id', () => {
  const completion = offered('@sam|');
  expect(completion?.options.map(({insert}) => insert)).toEqual([`@**Sam Twin|14** `, `@**Sam Twin|15** `]);
  expect(completion?.options[0]?.detail).toContain('person14@example.com · 14');
});

test('mention completion: the inserted text parses as a mention', () => {
  const state = completionState();
  for (const query of ['@an|', '@sam|', '@all|', '@|']) {
    for (const {insert, label} of offered(query)?.options ?? []) {
      const [block] = parseMessage(insert, nameContext(state));
      const [token] = block?.type === 'paragraph' ? block.children : [];
      expect([label, token?.type]).toEqual([label, expect.stringMatching(/_mention$/)]);
    }
  }
});

test('mention completion: wildcards show how many people they notify', () => {
  const [all] = offered('@all|')?.options ?? [];
  expect(all).toMatchObject({label: 'all', detail: 'notifies 3 people', insert: '@**all** '});
  expect(labels(offered('@top|'))).toEqual(['topic']);
  expect(labels(offered('@_all|'))).not.toContain('all');
  const direct = {conversation: directConversation([ids.ann, ids.bo], ids.self)};
  expect(labels(offered('@|', direct))).not.toContain('channel');
  expect(labels(offered('@every|', direct))).toEqual(['everyone']);
});

test('mention completion: older servers get no wildcards they do not know', () => {
  const older = completionState({server: eg.server(200)});
  expect(labels(offered('@chan|', {}, older))).toEqual([]);
  expect(labels(offered('@topic|', {}, older))).toEqual([]);
});

test('mention completion: a forbidden wildcard shows why', () => {
  const channels = eg.byId(eg.channel({id: 1, name: 'design', subscriberCount: 40}));
  const state = completionState({channels, subscribers: SortedMap.empty()});
  const strict = {...state, realm: {...state.realm, wildcardMentionPolicy: 6}};
  const [all] = offered('@all|', {}, strict)?.options ?? [];
  expect(all?.refusal).toContain('more than 15 people');
});

test('mention completion: shows presence and who is not subscribed', () => {
  const activeAt = nowMs / 1000 - 10;
  const presences = {
    ...completionState().presences,
    byUser: SortedMap.from([[ids.ann, {activeAt, idleAt: undefined}]]),
  };
  const options = offered('@ann|', {}, completionState({presences}))?.options ?? [];
  expect(options.find(({label}) => label === 'Ann Lee')).toMatchObject({
    presence: 'active',
    detail: 'not in #design',
  });
  expect(options.find(({label}) => label === 'Anna Bell')?.presence).toBe('offline');
});

test('mention completion: matches email addresses too', () => {
  expect(labels(offered('@person13|'))).toEqual(['Bo Andersson']);
});

test('mention completion: a space after a complete name closes the menu', () => {
  expect(offered('@Ann Lee |')).toBeUndefined();
  expect(labels(offered('@Ann |'))).toEqual(['Ann Lee']);
  expect(offered('@ann please |')).toBeUndefined();
  expect(offered('@ann please look|')).toBeUndefined();
});

test('mention completion: nothing opens inside words, URLs or code', () => {
  expect(offered('mail ann@le|')).toBeUndefined();
  expect(offered('see https://example.com/@an|')).toBeUndefined();
  expect(offered('`@an|`')).toBeUndefined();
  expect(offered('`@an|')).toBeUndefined();
  expect(offered('```\n@an|\n```')).toBeUndefined();
  expect(offered('~~~py\n@an|')).toBeUndefined();
  expect(offered('``` quote\n@an|\n```')).toBeDefined();
  expect(offered('```\ncode\n```\n@an|')).toBeDefined();
  expect(offered('a `b` @an|')).toBeDefined();
  expect(offered("it's 5 o`clock\nthen @an|")).toBeDefined();
});

test('mention completion: without a query, nearby people come first', () => {
  expect(labels(offered('@|')).slice(0, 3)).toEqual(['Bo Andersson', 'Anna Bell', 'all']);
});
