import {expect, test} from 'vitest';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {choosableIndex, openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';

/** The keys that open each menu on a message of the user. */
const menus: readonly (readonly [title: RegExp, ...keys: string[]])[] = [
  [/Message|message/, 'i'],
  [/#general › talk/, 'L'],
  [/Delete your message/, 'Delete'],
  [/Move to/, 'm', 'Ctrl-U', 't', 'e', 'a', 'Enter'],
  [/Undo history/, 'g', 'Z'],
  [/Snooze/, 'I', 'b'],
];

test('menus: Enter chooses the row with the cursor, whatever keys the rows show', async () => {
  const {fixture, app, press, select} = await messageFixture();
  await fixture.postMessage('unread', 'other');
  const {server, meg, channelId} = fixture;
  const args = {type: 'stream', to: channelId, topic: 'talk', content: 'own'};
  const {id} = await server.as(meg).post('/messages', args);
  await select(id);
  press('S', '+');
  for (const [title, ...keys] of menus) {
    press(...keys);
    const open = openedPicker(app);
    expect(open?.picker.title, keys.join(' ')).toMatch(title);
    if (open === undefined) return;
    const accepted: string[] = [];
    const picker = {...open.picker, accept: (_app: unknown, {key}: {readonly key: string}) => void accepted.push(key)};
    app.changeOverlay({...open, picker});
    const rows = pickerRows(app.frame, open).filter(
      ({isTitle, disabled}) => isTitle !== true && disabled === undefined,
    );
    const start = pickerRows(app.frame, open)[choosableIndex(pickerRows(app.frame, open), open.cursor)]?.key;
    press('Enter', 'Down', 'Enter');
    const first = rows.findIndex(({key}) => key === start);
    expect(accepted, keys.join(' ')).toEqual([start, rows[(first + 1) % rows.length]?.key]);
    press('Esc');
  }
});
