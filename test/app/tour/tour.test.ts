import {expect, test} from 'vitest';
import {persistValue} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import {continueTour, toggleTour, tourSteps} from '#app/tour/tour.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import * as eg from '#test/support/state-builders.ts';
import {backend, listFixture} from '#test/ui/lists/list-fixture.ts';
import {messagesView} from '#ui/core/frame.ts';

function replyStep(fields: Partial<AccountState>) {
  const {app} = listFixture({account: fields, size: '120x40'});
  toggleTour(app);
  openView(app, messagesView(topicNarrow(backend, 'deploy')));
  app.frames.paintNow();
  return app.screen.tour?.instruction;
}

test('tour: does not say to reply where writing is not allowed, but how to get elsewhere', () => {
  expect(replyStep({})).toContain('`r` to write a reply');
  const nobody = eg.group({id: 99, name: 'role:nobody', isSystemGroup: true});
  const channel = eg.channel({id: backend, name: 'backend', canSendMessageGroup: 99});
  const instruction = replyStep({groups: eg.byId(nobody), channels: eg.byId(channel)});
  expect(instruction).toContain('You may not write in this conversation. Press `I` to go to the inbox');
});

test('tour: its key ends it, and pressed again goes on with the step where it ended', () => {
  const {app, press} = listFixture({size: '120x40'});
  press('F2');
  expect(app.screen.tour?.instruction).toContain('Tour 1/');
  press('j', 'Enter');
  app.frames.paintNow();
  expect(app.screen.tour?.instruction).toContain('Tour 2/');
  // Where the first step could be done again.
  press('I', 'F2');
  expect(app.screen.tour).toBeUndefined();
  press('F2');
  expect(app.screen.tour?.instruction).toContain('Tour 2/');
});

test('tour: its key ends a complete one, and then begins a new one', () => {
  const {app, press} = listFixture({size: '120x40'});
  persistValue(app, 'tour', {step: tourSteps.length - 1, isOn: false});
  press('F2');
  expect(app.screen.tour?.instruction).toContain('The tour is complete.');
  press('F2');
  expect(app.screen.tour).toBeUndefined();
  press('F2');
  expect(app.screen.tour?.instruction).toContain('Tour 1/');
});

test('tour: after a start without anything to undo, it does not ask for undo', () => {
  const {app} = listFixture({size: '120x40'});
  const undoStep = tourSteps.findIndex(({text}) => text((id) => id, app.frame) === 'Press undo to undo that.');
  persistValue(app, 'tour', {step: undoStep, isOn: true});
  continueTour(app, false);
  expect(app.screen.tour?.instruction).toContain(`Tour ${undoStep + 2}/`);
});

test('tour: in a list beside the inbox it says how to leave it', () => {
  const {app, press} = listFixture({size: '120x40'});
  press('F2', 'Tab');
  expect(app.screen.focus).not.toBe('main');
  expect(app.screen.tour?.instruction).toContain('to leave the list.');
});

test('tour: a read-only session is not asked to write or to mark as read', () => {
  const {app, press} = listFixture({size: '120x40', info: {isReadOnly: true}});
  press('F2', 'Enter');
  app.frames.paintNow();
  expect(app.screen.tour?.instruction).toContain('to go to any conversation, channel or person.');
});
