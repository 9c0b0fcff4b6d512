import {expect} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {slowTest} from '#test/support/tier.ts';

const size = {cols: 120, rows: 40};

slowTest(
  'channels: an owner creates a private channel, adds a member, restricts posting, archives and unarchives it',
  async () => {
    const server = await testServer({rateLimited: false});
    const settings = {enter_sends: true};
    const olive = server.people.add('Olive Owner', {role: 100, settings});
    const meg = server.people.add('Meg Member', {settings});
    server.people.channel('harbour', [olive, meg]);
    await server.as(olive).post('/channel_folders/create', {name: 'Sea', description: ''});
    const [owner, member] = [olive, meg].map((person) => openParley({server, person, size}));
    if (owner === undefined || member === undefined) throw new Error('Two terminals are needed');
    for (const terminal of [owner, member]) {
      await terminal.waitFor(/#harbour[\s\S]*; commands/);
      terminal.keys('g', 'c');
      await terminal.waitFor('2 Subscribed');
    }
    const tabs = (count: number) => owner.keys(...Array.from({length: count}, () => 'Tab'));

    owner.keys('n');
    await owner.waitFor('New channel');
    owner.type('cove');
    tabs(2);
    owner.keys('Right');
    await owner.waitFor(/Privacy +< Private, shared history >/);
    tabs(5);
    owner.keys('Right');
    await owner.waitFor(/Folder +< Sea >/);
    tabs(7);
    owner.type('mod');
    await owner.waitFor('Moderators');
    owner.keys('Enter');
    await owner.waitFor(/Add subscribers +Moderators/);
    owner.keys('Ctrl-D');
    await owner.waitFor('Created #cove');
    expect(member.screen().text).not.toContain('cove');

    owner.keys('#');
    await owner.waitFor('A add people');
    owner.keys('A');
    await owner.waitFor('Add people to #cove');
    owner.type('meg');
    await owner.waitFor('[ ] Meg Member');
    owner.keys('Enter');
    await owner.waitFor('[x] Meg Member');
    owner.keys('Esc');
    await owner.waitFor('Add them');
    owner.keys('Ctrl-D');
    await owner.waitFor('Added Meg Member to #cove');
    await member.waitFor(/SEA[\s\S]*#cove private/);

    owner.keys('E');
    await owner.waitFor('Settings of #cove');
    // Name, description, privacy, default, folder, topics, retention, mobile.
    tabs(8);
    owner.type('owners');
    await owner.waitFor('Owners');
    owner.keys('Enter');
    await owner.waitFor(/Post messages +Owners/);
    owner.keys('Ctrl-D');
    await owner.waitFor('Changed the settings of #cove');
    member.keys('Home', 'Enter');
    const refusal = 'You do not have permission to write in #cove.';
    await member.waitFor(({text}) => text.includes('#cove has no messages yet') && text.includes(refusal), refusal);
    member.keys('c');
    await member.waitFor(({lines}) => lines.at(-1)?.includes(refusal) === true, `${refusal} in a toast`);

    owner.keys('Esc', 'g', 'c');
    await owner.waitFor('4 Archived');
    owner.keys('Home', 'Delete');
    await owner.waitFor('Archive #cove?');
    owner.keys('y');
    await owner.waitFor('Archived #cove');
    member.keys('Esc', 'Esc', 'g', 'c', '4');
    await member.waitFor(/4 Archived 1[\s\S]*#cove/);
    owner.keys('4');
    await owner.waitFor('unarchive');
    owner.keys('r');
    await owner.waitFor('Unarchived #cove');
    member.keys('2');
    await member.waitFor(/2 Subscribed 2[\s\S]*#cove private/);
  },
);
