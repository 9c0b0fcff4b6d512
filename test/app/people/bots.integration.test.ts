import {expect, test} from 'vitest';
import {bots} from '#app/people/bot-form.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {png} from '#test/contract/contract-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {peopleFixture} from './people-fixture.ts';

test('bots: one is created, its key is shown, and copied only by a key; a taken name is refused at its field', async () => {
  const {session, app, press, type, goTo, says, deviceCalls} = await peopleFixture();
  bots.openNew(app);
  type('Tide');
  goTo('Username');
  type('ti de');
  await says('Only letters, digits and . _ + -');
  press('Ctrl-U');
  type('tide');
  press('Ctrl-D');
  const text = await says('API key of Tide');
  const key = /Key +(\S+)/.exec(text)?.[1];
  expect(key).toMatch(/^\w{20,}$/);
  expect(deviceCalls.filter(([name]) => name === 'copy')).toEqual([]);
  press('c');
  expect(deviceCalls.at(-1)).toEqual(['copy', key]);
  press('z');
  expect(deviceCalls.at(-1)).toEqual(['copy', expect.stringContaining(`key=${key}\nsite=`)]);
  press('w');
  expect(deviceCalls.at(-1)).toEqual([
    'copy',
    expect.stringMatching(`/api/v1/external/slack_incoming.api_key=${key}$`),
  ]);
  press('Esc');
  const state = await waitForState(session, ({users}) =>
    [...users.values()].some(({isBot, fullName}) => isBot && fullName === 'Tide'),
  );
  const bot = [...state.users.values()].find(({fullName}) => fullName === 'Tide');
  expect(bot).toMatchObject({botOwnerId: state.self.userId, email: expect.stringMatching(/^tide-bot@/)});
  bots.openNew(app);
  type('Tide');
  goTo('Username');
  type('tide2');
  press('Ctrl-D');
  await says('Name is already in use');
});

test('bots: the list edits, shows keys, makes new ones, deactivates and reactivates', async () => {
  const {fixture, session, app, press, type, goTo, says, olive} = await peopleFixture('member', {
    app: {
      device: {
        listFiles: () => [{name: 'bot.png', isDirectory: false}],
        readFile: async (name) => ({name, bytes: png, size: png.length}),
      },
    },
  });
  const {server, meg, otto} = fixture;
  const {user_id: id, api_key: key} = await server.as(meg).post('/bots', {full_name: 'Tide', short_name: 'tide'});
  const bot = () => session.cache.state.users.get(id);
  await waitForState(session, () => bot() !== undefined);
  const queue = await server.as(olive).listen({event_types: ['realm_user', 'realm_bot']});
  bots.open(app);
  await says('Tide');
  press('Down', 'Ctrl-K');
  await says(key);
  press('Esc', 'Ctrl-R', 'y');
  await says(new RegExp(`API key of Tide[\\s\\S]*Key +(?!${key})`));
  press('Esc', 'Enter');
  type(' Table');
  press('Ctrl-D');
  await waitForState(session, () => bot()?.fullName === 'Tide Table');
  expect(await queue.next()).toMatchObject([{person: {user_id: id, full_name: 'Tide Table'}}]);
  await says(/Bots[\s\S]*Tide Table/);
  press('Enter');
  goTo('Change the picture…');
  press('Enter', 'Enter');
  await says('Changed the picture');
  expect(await queue.next()).toMatchObject([{person: {user_id: id, avatar_source: 'U'}}]);
  goTo('Deactivate the bot…');
  press('Enter', 'y');
  await waitForState(session, () => bot()?.isActive === false);
  await says('Deactivated Tide Table');
  press('Esc', 'Esc', 'z');
  await waitForState(session, () => bot()?.isActive === true);
  bots.openForm(app, id);
  goTo('Owner');
  type('otto');
  press('Enter', 'Ctrl-D');
  await waitForState(session, () => bot()?.botOwnerId === otto.id);
});

test('bots: one is reactivated from the list, and undo deactivates it again, redo reactivates it', async () => {
  const {fixture, session, app, press, says} = await peopleFixture();
  const {server, meg} = fixture;
  const {user_id: id} = await server.as(meg).post('/bots', {full_name: 'Tide', short_name: 'tide'});
  await server.as(meg).delete(`/bots/${id}`);
  const isActive = () => session.cache.state.users.get(id)?.isActive;
  await waitForState(session, () => isActive() === false);
  bots.open(app);
  press('Down', 'Ctrl-T');
  await says('Reactivated Tide');
  await waitForState(session, () => isActive() === true);
  press('Esc', 'z');
  await says('Deactivated Tide');
  await waitForState(session, () => isActive() === false);
  press('Z');
  await says('Reactivated Tide');
  await waitForState(session, () => isActive() === true);
});

test('bots: administrators see those of others; who may not create bots is told so', async () => {
  const admin = await peopleFixture('administrator');
  const {server, otto} = admin.fixture;
  const {user_id: id} = await server.as(otto).post('/bots', {full_name: 'Ottobot', short_name: 'otto'});
  await waitForState(admin.session, ({users}) => users.has(id));
  bots.open(admin.app);
  expect(await admin.says('Bots of others')).toMatch(/Ottobot +\S+ · of Otto/);
  admin.press('Esc');
  await server.as(admin.olive).patch('/realm', {
    can_create_bots_group: {new: SystemGroup.nobody},
    can_create_write_only_bots_group: {new: SystemGroup.nobody},
  });
  await waitForState(admin.session, ({realm}) => realm.canCreateBotsGroup === SystemGroup.nobody);
  admin.press('Ctrl-G');
  admin.type('>create a bot');
  admin.press('Enter');
  await admin.says('You may not create bots of this type.');
});
