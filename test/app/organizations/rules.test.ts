import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {RuleRunner} from '#app/rules/rule-runner.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {systemClock} from '#std/clock.ts';
import {triageAccount, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import * as eg from '#test/support/state-builders.ts';
import {accountsFixture, organizationsFixture} from './organizations-fixture.ts';

function fileWith(toml: string) {
  const home = scratchDirectory();
  const paths = {config: join(home, 'config'), state: join(home, 'state')};
  mkdirSync(paths.config);
  writeFileSync(join(paths.config, 'rules.toml'), toml);
  return rulesFile({paths, home, clock: systemClock});
}

/** Returns what each of two organizations says about a rule; beta has a channel `harbour`. */
async function problemsOf(toml: string): Promise<readonly (string | undefined)[]> {
  const account = triageAccount();
  const channels = eg.byId(...account.channels.values(), eg.channel({id: 9, name: 'harbour'}));
  const {fixtures} = organizationsFixture({acme: account, beta: {...account, channels}});
  const problems: (string | undefined)[] = [];
  for (const {app} of fixtures) {
    await new RuleRunner(app, fileWith(toml)).reload();
    problems.push(app.screen.toast?.text);
  }
  return problems;
}

test('organizations: a rule for a channel that exists in one of them is no error in the others', async () => {
  expect(await problemsOf('[[rule]]\nname = "boats"\nchannel = "harbour"\nmute_topic = true\n')).toEqual([
    undefined,
    undefined,
  ]);
});

test('organizations: a rule for a channel that exists in none of them, or not in its account, is an error', async () => {
  const [inAcme] = await problemsOf('[[rule]]\nname = "boats"\nchannel = "harbor"\nmute_topic = true\n');
  expect(inAcme).toMatch(/harbor/);
  const named = '[[rule]]\nname = "boats"\naccount = "acme"\nchannel = "harbour"\nmute_topic = true\n';
  expect(await problemsOf(named)).toEqual([expect.stringMatching(/harbour/), undefined]);
});

test('organizations: a rule for a channel that is not here is no error while another organization is not open', async () => {
  const toml = '[[rule]]\nname = "boats"\nchannel = "harbour"\nmute_topic = true\n';
  const problemAmong = async (names: readonly string[]) => {
    const {accounts} = accountsFixture(names, 'grouped');
    const {app} = triageFixture({accounts, info: {accountName: 'acme', accountCount: names.length}});
    await new RuleRunner(app, fileWith(toml)).reload();
    return app.screen.toast?.text;
  };
  expect(await problemAmong(['acme', 'beta'])).toBeUndefined();
  expect(await problemAmong(['acme'])).toMatch(/harbour/);
});
