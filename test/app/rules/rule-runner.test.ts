import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {RuleRunner} from '#app/rules/rule-runner.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {conversationOf, withMessages} from '#state/messages/loaded-messages.ts';
import {noUnreads} from '#state/model/unread.ts';
import {beginRules} from '#state/rules/rule-claims.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {systemClock} from '#std/clock.ts';
import {triageAccount, triageFixture, web} from '#test/app/inbox/triage-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import * as eg from '#test/support/state-builders.ts';

test('rules: of more than a thousand unread messages from before the start, the newest thousand are handled', async () => {
  const home = scratchDirectory();
  const paths = {config: join(home, 'config'), state: join(home, 'state')};
  mkdirSync(paths.config);
  writeFileSync(join(paths.config, 'rules.toml'), '[[rule]]\nname = "noise"\ntopic = "noise"\nmark_read = true\n');
  const messages = Array.from({length: 1003}, (_, index) =>
    eg.message({id: index + 1, channelId: web, topic: 'noise'}),
  );
  const unreads = messages.map((message) => ({
    id: message.id,
    conversation: conversationOf(message),
    isMention: false,
  }));
  const account = {
    ...triageAccount(),
    messages: withMessages(eg.state().messages, messages),
    unreads: addUnreads(noUnreads, unreads),
    maxMessageId: 1003,
  };
  const {app, store, unread} = triageFixture({account});
  beginRules(store.keyValues, 0);
  new RuleRunner(app, rulesFile({paths, home, clock: systemClock})).catchUp(1003);
  await expect.poll(unread).toEqual([1, 2, 3]);
});
