import type {Motion} from '#ui/core/motion.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {pageInForm} from '#ui/forms/open-form.ts';
import {pageInboxPreview} from '#ui/inbox/inbox-preview.ts';
import {mainList} from '#ui/lists/focused-list.ts';
import {moveInMessages} from '#ui/message-pane/move-in-messages.ts';
import {moveCursor} from '#ui/navigation/move-cursor.ts';
import {openedPicker, pageInPicker} from '#ui/overlays/picker.ts';
import type {Command} from './command.ts';

const motionCommand = (id: string, title: string, motion: Motion, more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['nav'],
  isKeyOnly: true,
  worksBeforeFirstPaint: true,
  ...more,
  run: (app) => moveCursor(app, motion),
});

export const movementCommands: readonly Command[] = [
  motionCommand('move.down', 'Next row or message', {by: 'item', step: 1}, {aliases: ['down']}),
  motionCommand('move.up', 'Previous row or message', {by: 'item', step: -1}, {aliases: ['up']}),
  motionCommand('page.down', 'Page down', {by: 'page', step: 1}),
  motionCommand('page.up', 'Page up', {by: 'page', step: -1}),
  motionCommand('page.half.down', 'Half page down', {by: 'half', step: 1}),
  motionCommand('page.half.up', 'Half page up', {by: 'half', step: -1}),
  motionCommand('scroll.line.down', 'Scroll one line down', {by: 'line', step: 1}),
  motionCommand('scroll.line.up', 'Scroll one line up', {by: 'line', step: -1}),
  motionCommand(
    'move.last',
    'Go to the end; marks a conversation read',
    {to: 'last'},
    {aliases: ['bottom', 'end', 'newest']},
  ),
  motionCommand('move.first', 'Go to the start', {to: 'first'}, {aliases: ['top', 'start', 'beginning', 'oldest']}),
  {
    id: 'scroll.page',
    title: 'Scroll one page',
    contexts: ['global'],
    isKeyOnly: true,
    run: (app, press) => {
      const step = press?.key.name === 'PageUp' ? -1 : 1;
      if (openedPicker(app) !== undefined) pageInPicker(app, step);
      else if (openedForm(app) !== undefined) pageInForm(app, step);
      else if (mainList(app.screen.view) === 'inbox') pageInboxPreview(app, step);
      else moveInMessages(app, {by: 'page', step});
    },
  },
];
