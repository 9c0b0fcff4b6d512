import {fewOf, slowTest} from '#test/support/tier.ts';
import {roles} from '#wire/objects/user.ts';
import {openTides, twoUserFixture} from './two-user-fixture.ts';

/** The roles that are refused different commands; `permissions.integration.test.ts` has what the others may. */
type Role = 'owner' | 'member' | 'guest';

/** A command of the palette, what it opens, and the reason that it gives to roles that may not use it. */
type Expected = readonly [title: string, opens: RegExp, refusals?: Partial<Record<Role, string>>];

const administratorsOnly = (reason: string) => ({member: reason, guest: reason});

const commands: readonly Expected[] = [
  ['Create a channel', /─ New channel ─/, {guest: 'You do not have permission to create channels.'}],
  ['Settings of this channel', /─ Settings of #harbour ─/],
  ['My settings for this channel', /─ My settings for #harbour ─/],
  ['Topic visibility', /notifies you of every message/],
  ['Edit my profile', /─ My profile ─/],
  ['Create an account', /─ New account ─/, administratorsOnly('Only administrators can create accounts.')],
  ['Invite people', /─ Invite people ─/, {guest: 'You may not invite people to this organization.'}],
  ['My bots', /─ Bots ─/, {guest: 'Guests cannot use this.'}],
  ['Create a user group', /─ New group ─/, {guest: 'You do not have permission to create groups.'}],
  ['Linkifiers', /─ Linkifiers ─/],
  ['Allowed email domains', /─ Allowed email domains ─/],
  ['Organization settings', /─ Organization settings ─/],
  ['Sidebar views', /─ Sidebar views ─/],
  ['Mark all as read', /─ Mark all messages as read\? ─/],
  ['Alert words', /─ Alert words ─/],
  ['About this server', /─ About this server ─/],
];

const users = [
  ['guest', {cols: 120, rows: 40}],
  ['owner', {cols: 120, rows: 40}],
  ['member', {cols: 80, rows: 24}],
] as const;

slowTest.each(fewOf(users))('roles: as %s each command opens, or says why not', async (role, size) => {
  const chat = await twoUserFixture();
  const {server, meg} = chat;
  await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: roles[role]});
  const terminal = await openTides(chat, size);
  await terminal.waitFor('●');
  for (const [title, opens, refusals = {}] of commands) {
    const refusal = refusals[role];
    terminal.keys(';');
    await terminal.waitFor('─ Commands ─');
    terminal.type(title.toLowerCase());
    await terminal.waitFor(new RegExp(`▌${title}`));
    terminal.keys('Enter');
    if (refusal === undefined) await terminal.waitFor(opens);
    else await terminal.waitFor(({lines}) => lines.at(-1)?.includes(refusal) === true, refusal);
    terminal.keys('Esc');
    await terminal.waitFor(({text}) => !text.includes('╭─'), 'no overlay');
  }
});
