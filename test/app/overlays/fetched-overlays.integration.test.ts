import {expect, test} from 'vitest';
import {openRecordList} from '#app/forms/record-list.ts';
import {openFetchedCard} from '#app/overlays/cards.ts';
import {confirmFetched} from '#app/overlays/picker.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import {systemClock} from '#std/clock.ts';
import {formAccount} from '#test/app/forms/form-fixture.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';

/** An app, and a request for words whose responses the test gives. */
function fetchedFixture() {
  const session = unstartedSession(formAccount, systemClock);
  const fixture = appFixture({session, size: '80x24', clock: systemClock});
  const sent: PromiseWithResolvers<readonly string[]>[] = [];
  const request: FetchRequest<readonly string[]> = {
    key: ['words'],
    fetch: () => {
      const answer = Promise.withResolvers<readonly string[]>();
      sent.push(answer);
      return answer.promise;
    },
    isOutdatedBy: ({type}) => type === 'invites_changed',
  };
  const {app} = fixture;
  const until = (text: string) => untilApp(app, () => overlayRows(app).join('\n').includes(text));
  const answer = async (...words: readonly string[]) => {
    sent.at(-1)?.resolve(words);
    await until(words.at(-1) ?? '');
  };
  return {...fixture, session, sent, request, until, answer, text: () => overlayRows(app).join('\n')};
}

type Fixture = ReturnType<typeof fetchedFixture>;

const openers: Readonly<Record<'card' | 'record list' | 'confirmation', (fixture: Fixture) => void>> = {
  card: ({app, request}) =>
    openFetchedCard(app, {
      id: 'words',
      title: 'Words',
      titleOf: (words) => `${words.length} words`,
      request,
      lines: (_frame, width, words) => words.flatMap((word) => paragraph(word, 'text', width)),
    }),
  'record list': ({app, request}) =>
    openRecordList(app, {
      id: 'words',
      title: 'Words',
      reads: [request],
      rows: (_frame, [words = []]) => words.map((word) => ({key: word, label: word})),
    }),
  confirmation: ({app, request}) =>
    confirmFetched(app, {
      title: 'Words',
      progressText: 'Loading…',
      request,
      question: (words) => ({yes: `Say ${words.join(' ')}`, onYes: (from) => from.toast(`Said ${words.join(' ')}`)}),
    }),
};

for (const [name, open] of Object.entries(openers)) {
  test(`${name}: the first opening says that it loads, the second one shows the former result while it is fetched again`, async () => {
    const fixture = fetchedFixture();
    const {press, sent, answer, text, until} = fixture;
    open(fixture);
    expect(text().toLowerCase()).toContain('loading…');
    await answer('sea');
    press('Esc');
    open(fixture);
    expect(text()).toContain('sea');
    expect(sent).toHaveLength(2);
    sent[1]?.resolve(['ship']);
    await until('ship');
    expect(text()).not.toContain('sea');
  });

  test(`${name}: the reason of a failure is shown with the key that tries again`, async () => {
    const fixture = fetchedFixture();
    const {app, press, sent, answer, text, until} = fixture;
    open(fixture);
    sent[0]?.reject(new Error('No answer.'));
    await until('No answer.');
    expect(overlayText(app.frame).join('\n')).toContain('Ctrl-L tries again');
    press('Ctrl-L');
    expect(sent).toHaveLength(2);
    await answer('sea');
    expect(text()).not.toContain('No answer.');
  });

  test(`${name}: closed and opened again while it is fetched, it asks once`, async () => {
    const fixture = fetchedFixture();
    const {app, press, sent, answer} = fixture;
    open(fixture);
    press('Esc');
    expect(app.screen.overlays).toEqual([]);
    open(fixture);
    await answer('sea');
    expect(sent).toHaveLength(1);
  });

  test(`${name}: a response that arrives after it was closed opens nothing, and is there the next time`, async () => {
    const fixture = fetchedFixture();
    const {app, press, sent, session, request, text} = fixture;
    open(fixture);
    press('Esc');
    sent[0]?.resolve(['sea']);
    await session.queries.settled([request]);
    expect(app.screen.overlays).toEqual([]);
    open(fixture);
    expect(text()).toContain('sea');
  });

  test(`${name}: an event that outdates what it shows fetches it again, until it is closed`, async () => {
    const fixture = fetchedFixture();
    const {press, sent, answer, session} = fixture;
    open(fixture);
    await answer('sea');
    session.queries.onEvents([{id: 1, type: 'invites_changed'}]);
    await answer('ship');
    press('Esc');
    session.queries.onEvents([{id: 2, type: 'invites_changed'}]);
    expect(sent).toHaveLength(2);
  });
}

test('card: its title follows what was fetched, and a failed refresh is said above the former lines', async () => {
  const fixture = fetchedFixture();
  const {app, press, sent, answer, text, until} = fixture;
  openers.card(fixture);
  await answer('sea', 'ship');
  expect(overlayText(app.frame)[0]).toContain('2 words');
  press('Ctrl-L');
  sent[1]?.reject(new Error('No answer.'));
  await until('No answer.');
  expect(text()).toMatch(/No answer\.[\s\S]*sea\n.*ship/);
});

test('record list: the cursor stays on its row when rows arrive before it, and a failed refresh is said below the rows', async () => {
  const fixture = fetchedFixture();
  const {app, press, sent, answer, text, until} = fixture;
  openers['record list'](fixture);
  await answer('sea', 'ship');
  press('Down', 'Ctrl-L');
  sent[1]?.resolve(['anchor', 'sea', 'ship']);
  await until('anchor');
  expect(text()).toMatch(/▌ship$/);
  press('Ctrl-L');
  sent[2]?.reject(new Error('No answer.'));
  await until('No answer.');
  expect(overlayRows(app).at(-1)).toContain('No answer.');
  expect(text()).toContain('▌ship');
});

test('confirmation: a former answer cannot be confirmed before it was fetched again', async () => {
  const fixture = fetchedFixture();
  const {app, press, sent, answer, until} = fixture;
  openers.confirmation(fixture);
  await answer('sea');
  press('Esc');
  openers.confirmation(fixture);
  press('y');
  expect([app.screen.toast?.text, app.screen.overlays.length]).toEqual(['Loading…', 1]);
  sent[1]?.resolve(['ship']);
  await until('ship');
  press('y');
  expect([app.screen.toast?.text, app.screen.overlays.length]).toEqual(['Said ship', 0]);
});
