import {expect, test} from 'vitest';
import {eventOf} from '#server/http/server-events.ts';
import {administrationText} from '#state/selectors/administration-text.ts';
import * as eg from '#test/support/state-builders.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

const entry = (action: string, target = {}, fields: string[] = []) => ({
  id: 1,
  user_id: 1,
  time: 0,
  action,
  target,
  fields,
});

test('administration log: every logged endpoint has a sentence', () => {
  const logged = [...Object.values(endpoints), ...Object.values(otherEndpoints)].filter(
    (each) => eventOf(each) === 'administration',
  );
  expect(logged.length).toBeGreaterThan(50);
  for (const {id} of logged) expect(administrationText(eg.state(), entry(id))).toMatch(/^[A-Z][a-z]+ [a-z]/);
});

test('administration log: a sentence names the user and the settings, and an unknown action by its own name', () => {
  const state = eg.state({groups: eg.byId(eg.group({id: 2, name: 'harbor crew'}))});
  expect(administrationText(state, entry('group.update', {user_group_id: 2}))).toBe('Changed harbor crew');
  expect(administrationText(state, entry('group.update', {user_group_id: 9}))).toBe('Changed a group');
  expect(administrationText(state, entry('user.update', {}, ['role']))).toBe('Changed a user (role)');
  expect(administrationText(state, entry('invite.send', {}, ['invitee_emails']))).toBe('Sent an invitation');
  expect(administrationText(state, entry('operator.setSetting', {}, ['name']))).toBe(
    'Changed settings of the organization (name)',
  );
  const changes = {role: [400, 200], permissions: [null, '{}'], key_generation: [1, 2]};
  expect(administrationText(state, {...entry('user.update', {}, ['role', 'full_name']), changes})).toBe(
    'Changed a user (full_name, role: member → administrator, permissions: {})',
  );
  expect(administrationText(state, entry('moon.landing'))).toBe('moon.landing');
});
