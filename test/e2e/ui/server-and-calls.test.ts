import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {firstEvent, openTides, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

slowTest('server and calls: a call is sent, and the cards about the connection and the server are read', async () => {
  const chat = await twoUserFixture();
  chat.server.people.setting('video_chat_provider', 1);
  const listener = await chat.server.as(chat.otto).listen({event_types: ['message']});
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.keys('Ctrl-X', 'v');
  await terminal.waitFor('[Join video call.](');
  terminal.keys('Enter');
  const {message} = await firstEvent(listener, ({message: sent}) => sent?.content.includes('Join video call'));
  expect(message.content).toMatch(/https:\/\/meet\.jit\.si\/\d{15}/);

  terminal.keys('Esc', ';');
  terminal.type('connection status');
  await terminal.waitFor('▌Connection');
  terminal.keys('Enter');
  await terminal.waitFor(/State +Connected/);
  const queueOf = (text: string) => /Event queue +(\S+)/.exec(text)?.[1];
  const before = queueOf(terminal.screen().text);
  terminal.keys('R');
  await terminal.waitFor(({text}) => queueOf(text) !== 'none' && queueOf(text) !== before, 'another event queue');

  terminal.keys('Esc', ';');
  terminal.type('about this');
  await terminal.waitFor('▌About this server');
  terminal.keys('Enter');
  await terminal.waitFor(/Login +email and password/);
});
