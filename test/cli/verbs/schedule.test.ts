import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {messageScene, verbScene} from './verb-scene.ts';

test('schedule: a message is scheduled, listed and deleted', async () => {
  const {run, server, meg, channelId} = await verbScene();
  const made = await run('schedule', ['--to', '#general>lunch', '--at', 'in 2 hours', '-m', '- soup', '--json']);
  const {id, at} = JSON.parse(made.out);
  expect(at).toBeGreaterThan(Date.now() / 1000 + 7100);
  const onServer = async () => (await server.as(meg).get('/scheduled_messages')).scheduled_messages;
  expect(await onServer()).toMatchObject([
    {scheduled_message_id: id, to: channelId, topic: 'lunch', content: '- soup', scheduled_delivery_timestamp: at},
  ]);
  expect((await run('schedule', ['--to', '@Otto Other', '--at', '2099-05-01 9:30'], {input: 'later'})).out).toBe(
    'Scheduled for 2099-05-01 09:30: Otto Other.\n',
  );
  const {out} = await run('schedule list', []);
  expect(out).toMatch(
    /^ *\d+ {2}[-\d]{10} \d\d:\d\d {2}#general › lunch: - soup\n.*2099-05-01 09:30 {2}Otto Other: later\n$/,
  );
  expect(JSON.parse((await run('schedule list', ['--json'])).out)).toMatchObject([{id, at}, {content: 'later'}]);
  expect(await run('schedule delete', [String(id), String(id), '--yes'])).toEqual({
    code: 0,
    out: 'Deleted 1 scheduled message.\n',
    err: '',
  });
  expect(await onServer()).toHaveLength(1);
  expect(await run('schedule delete', [String(id), '--yes'])).toMatchObject({code: 1, out: ''});
});

test('schedule list: soonest first, with what could not be sent; of several, those before a failure are deleted', async () => {
  const {run, server} = await verbScene();
  const add = async (at: string, text: string) =>
    JSON.parse((await run('schedule', ['--to', 'me', '--at', at, '-m', text, '--json'])).out).id as number;
  const [later, sooner] = [await add('2099-05-01 9:30', 'later'), await add('2098-05-01 9:30', 'sooner')];
  server.context.db.run('UPDATE scheduled_message SET failed = 1 WHERE id = ?', later);
  const {out} = await run('schedule list', []);
  expect(out).toMatch(/^.* Notes to self: sooner\n.* Notes to self: later \(could not be sent\)\n$/);
  expect(await run('schedule delete', [String(sooner), '99999', String(later), '--yes'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^1 of 3 were deleted before this failure:\n./),
  });
  expect((await run('schedule list', [])).out).toContain('later');
});

test('schedule: a message that may not be sent is not scheduled', async () => {
  const {run, server, otto} = await verbScene();
  server.people.channel('elsewhere', [otto], {
    permissions: {can_send_message_group: {direct_members: [otto.id], direct_subgroups: []}},
  });
  expect(await run('schedule', ['--to', '#elsewhere>t', '--at', 'tomorrow', '-m', 'x'])).toMatchObject({
    code: 5,
    out: '',
  });
});

test('schedule, remind: what exists already is not created again, and another time is pointed out', async () => {
  const {run, say, server, meg} = await messageScene();
  const text = ['--to', 'me', '-m', 'x', '--at'];
  expect(await run('schedule', [...text, '2099-05-01 9:30'])).toMatchObject({code: 0, err: ''});
  const again = await run('schedule', [...text, '2099-05-01 9:30']);
  expect([again.code, again.out]).toEqual([0, 'Already scheduled for 2099-05-01 09:30: Notes to self.\n']);
  const other = await run('schedule', [...text, '2099-05-01 9:31']);
  expect(other.err).toMatch(/^The same text is also scheduled for 2099-05-01 09:30: “parley schedule delete \d+”/);
  const elsewhere = await run('schedule', ['--to', '#general>t', '-m', 'x', '--at', '2099-05-01 9:30']);
  expect(elsewhere).toEqual({code: 0, out: 'Scheduled for 2099-05-01 09:30: #general › t.\n', err: ''});
  expect((await server.as(meg).get('/scheduled_messages')).scheduled_messages).toHaveLength(3);
  const id = String(await say('look'));
  await run('remind', [id, '--at', '2099-05-01 9:30']);
  const second = await run('remind', [id, '--at', '2099-05-01 9:30']);
  expect(second).toMatchObject({code: 0, out: 'You already get a reminder at 2099-05-01 09:30.\n'});
  expect((await run('remind', [id, '--at', '2099-05-01 9:31'])).err).toBe('You also get one at 2099-05-01 09:30.\n');
  const noted = await run('remind', [id, '--at', '2099-05-01 9:30', '--note', 'why']);
  expect(noted).toMatchObject({
    out: 'You get a reminder at 2099-05-01 09:30.\n',
    err: expect.stringMatching(/^You also/),
  });
  expect((await server.as(meg).get('/reminders')).reminders).toHaveLength(3);
});

test('schedule: “tomorrow 9” is that time on this machine', async () => {
  const {run} = await verbScene();
  const clock = new ManualClock(Date.parse('2099-03-04T12:00:00'));
  const {out} = await run('schedule', ['--to', 'me', '--at', 'tomorrow 9', '-m', 'x'], {clock});
  expect(out).toBe('Scheduled for 2099-03-05 09:00: Notes to self.\n');
  expect(await run('schedule', ['--to', 'me', '--at', '2099-03-04 12:00', '-m', 'x'], {clock})).toMatchObject({
    code: 2,
    err: '“2099-03-04 12:00” is in the past.\n',
  });
});

test('remind: a reminder is set, listed and deleted', async () => {
  const {run, say, server, meg} = await messageScene();
  const id = await say('look at **this**');
  const made = await run('remind', [String(id), '--at', '2099-05-01 9:30', '--note', 'really']);
  expect(made).toEqual({code: 0, out: 'You get a reminder at 2099-05-01 09:30.\n', err: ''});
  const {reminders} = await server.as(meg).get('/reminders');
  expect(reminders).toMatchObject([{reminder_target_message_id: id, content: expect.stringContaining('really')}]);
  expect((await run('remind list', [])).out).toMatch(new RegExp(`^\\d+  2099-05-01 09:30  message ${id}  .*really`));
  expect((await run('remind list', [])).out).not.toContain('**');
  const [listed] = JSON.parse((await run('remind list', ['--json'])).out);
  expect(listed).toMatchObject({messageId: id, content: reminders[0].content, failed: false});
  expect(await run('remind delete', [String(listed.id), '--yes'])).toMatchObject({
    code: 0,
    out: 'Deleted 1 reminder.\n',
  });
  expect((await run('remind list', [])).out).toBe('No reminders.\n');
  expect(await run('remind', ['99999', '--at', 'tomorrow'])).toMatchObject({code: 1, err: 'Invalid message(s).\n'});
});
