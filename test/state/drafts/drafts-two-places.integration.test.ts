import {expect, test} from 'vitest';
import type {DraftTarget} from '#state/model/draft.ts';
import {Random} from '#std/random.ts';
import {callTestHook, injectFault, TestClient} from '#test/state/test-client.ts';
import {testServer} from '#test/support/server.ts';
import {fewOrAll} from '#test/support/tier.ts';

const endings = [' one', ' two', ' three', ' four'];

/** One draft that two computers continue in their own words, a few letters at a time, while requests fail. */
async function draftInTwoPlaces(seed: number): Promise<readonly string[]> {
  const server = await testServer({testHooks: true, rateLimited: false});
  const meg = server.people.member();
  const target: DraftTarget = {kind: 'topic', channelId: server.people.channel('general', [meg]), topic: 't'};
  const random = new Random(seed);
  const start = () => new TestClient(server, meg).register();
  const computers = [
    {client: await start(), text: 'plan', id: undefined as string | undefined},
    {client: await start(), text: 'plan', id: undefined as string | undefined},
  ];
  const [desktop] = computers;
  if (desktop === undefined) throw new Error('There is no desktop.');
  desktop.client.drafts.edit(undefined, {target, content: 'plan'});
  await desktop.client.drafts.flush();
  for (const computer of computers) {
    await computer.client.pollEvents();
    await computer.client.drafts.flush();
    computer.id = computer.client.drafts.all()[0]?.id;
  }
  for (const ending of endings) {
    for (const [at, computer] of computers.entries()) {
      const replaced = computer.text;
      computer.text += `${ending}${at}`;
      computer.id = computer.client.drafts.edit(computer.id, {target, content: computer.text}, replaced)?.id;
      if (random.next() < 0.6) {
        await injectFault(server, {
          path: '/drafts',
          kind: random.pick(['drop_before', 'drop_after', 'truncate']) ?? '',
        });
      }
      await computer.client.drafts.flush();
      if (random.next() < 0.5) await computer.client.pollEvents();
    }
  }
  await callTestHook(server, 'clear-faults');
  for (let round = 0; round < 4; round++) {
    for (const {client} of computers) {
      await client.register();
      await client.drafts.flush();
      await client.pollEvents();
    }
  }
  const {drafts} = await server.as(meg).get('/drafts');
  return drafts.map(({content}: {content: string}) => content).sort();
}

test.each(Array.from({length: fewOrAll(4, 40)}, (_, seed) => seed))(
  'drafts: one that two computers continue under faults ends as one draft of each (seed %i)',
  async (seed) => {
    const texts = [0, 1].map((at) => `plan${endings.map((ending) => `${ending}${at}`).join('')}`);
    expect(await draftInTwoPlaces(seed)).toEqual(texts);
  },
);
