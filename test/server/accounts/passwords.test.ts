import {expect, test} from 'vitest';
import {hashPassword, passwordProblem} from '#server/accounts/password.ts';
import {testServer} from '#test/support/server.ts';

test.each([
  'password',
  'Password1',
  'p4ssw0rd!',
  '12345678',
  '87654321',
  'qwertyui',
  '1234qwer',
  'letmein2024',
  'MonkeyMonkey',
  'abc1abc1',
  '1q2w3e4r',
])('passwords: “%s” is refused as too common', (password) => {
  expect(passwordProblem(password)).toBe('The password is too common: others guess it first. Choose another.');
});

test.each(['correct horse', 'blue2Gate-hinge', 'monkeys eat at 9', 'kfjw39fk', 'pässwörter im wald'])(
  'passwords: “%s” is accepted',
  (password) => {
    expect(passwordProblem(password)).toBeUndefined();
  },
);

test('passwords: one that is too short, too long or of few characters is refused, each with its reason', () => {
  expect(passwordProblem('kf3w9f')).toBe('The password is too short. Use at least 8 characters.');
  expect(passwordProblem('kf3w9fq '.repeat(13))).toBe('The password is too long. Use at most 100 characters.');
  expect(passwordProblem('aabbaabbab')).toBe('The password is too weak. Use more different characters.');
});

test('passwords: a common one is refused wherever a password is set over HTTP, and the sentence says why', async () => {
  const server = await testServer();
  const [owner, meg] = [server.people.owner(), server.people.member()];
  const old_password = 'correct horse';
  const hash = await hashPassword(old_password, server.context.passwordCost);
  server.context.db.run('UPDATE user SET password_hash = ? WHERE id = ?', hash, meg.id);
  const refused = {code: 'BAD_REQUEST', msg: expect.stringContaining('too common')};
  const [password, full_name] = ['password1', 'Anna New'];
  const changed = await server.as(meg).raw('PATCH', '/settings', {old_password, new_password: password});
  expect(changed.body).toMatchObject(refused);
  const created = await server.as(owner).raw('POST', '/users', {email: 'anna@example.com', full_name, password});
  expect(created.body).toMatchObject(refused);
  const {invite_link} = await server.as(owner).post('/invites/multiuse', {stream_ids: []});
  const body = new URLSearchParams({name: full_name, email: 'anna@example.com', password});
  const joined = await fetch(invite_link, {method: 'POST', headers: {origin: server.url}, body});
  expect([joined.status, await joined.text()]).toEqual([400, expect.stringContaining('too common')]);
});
