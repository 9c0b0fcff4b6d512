import {test} from 'vitest';
import {composeFixture} from '#test/app/composer/compose-fixture.ts';
import {FastClock} from '#test/e2e/faults/fast-clock.ts';
import {hasMessage} from '#test/state/session-fixture.ts';

const hourMs = 3600_000;

test('clock: after the time is set back an hour, messages are painted without a key and sent', async () => {
  const clock = new FastClock();
  const {app, fixture, press, type, until, shows} = await composeFixture({clock});
  press('j');
  clock.jump(-hourMs);
  const id = await fixture.postMessage('after the change of time', 'talk');
  await shows(() => hasMessage(id)(app.frames.paintedFrame.account));
  press('r');
  type('sent after it');
  press('Enter');
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'sent after it'));
  await shows(() => app.frames.paintedFrame.account.outbox.length === 0);
});
