import {sendingOf} from '#app/compose/pane/destination-lines.ts';
import type {App} from '#app/core/app.ts';
import {type SendKey, sendOutcome} from '#app/text/send-keys.ts';
import {newline, replaceRange} from '#app/text/text-field.ts';
import {acceptCompletion, closeMenu} from './accept-completion.ts';
import {changeActive, setComposer} from './change-composer.ts';
import {stepPlace} from './composer-focus.ts';
import {togglePreview} from './composer-preview.ts';
import {closeComposer} from './open-composer.ts';
import {followMoved, isEmptyComposer, sendText, stayPut} from './send-message.ts';
import {dropOffer} from './type-into-composer.ts';

/** What a key around Enter does. A part of a paste is text and nothing else. */
export function pressEnter(app: App, key: SendKey, isBurst: boolean): void {
  if (key === 'Enter' && !isBurst && isSettled(app)) return;
  switch (sendOutcome(key, sendingOf(app.state, app.screen.composer, isBurst))) {
    case 'send':
      sendText(app);
      break;
    case 'newline':
      changeActive(app, newline);
      break;
    case 'newlineWithoutBackslash':
      changeActive(app, (field) => replaceRange(field, field.cursor - 1, field.cursor, '\n'));
      break;
  }
}

/** What is offered or asked comes before what Enter does to the text; true when it was for that. */
function isSettled(app: App): boolean {
  const {menu, place, isPreviewed} = app.screen.composer;
  if (menu?.index !== undefined) acceptCompletion(app);
  else if (place === 'to' || place === 'topic') stepPlace(app, 1);
  else if (place === 'send') sendText(app);
  else if (dropOffer(app) || followMoved(app)) return true;
  else if (isPreviewed) sendText(app);
  else return false;
  return true;
}

/** Closes what is innermost; the composer last, and its text stays. */
export function pressEscape(app: App): void {
  const {composer} = app.screen;
  if (composer.menu !== undefined) closeMenu(app);
  else if (dropOffer(app) || stayPut(app)) return;
  else if (composer.warnings.length > 0) setComposer(app, {...composer, warnings: []});
  else if (composer.isPreviewed) togglePreview(app);
  else closeComposer(app);
}

/** Sends whatever Enter means; an empty composer closes. */
export function pressSend(app: App): void {
  const {composer} = app.screen;
  if (isEmptyComposer(composer) && composer.editing === undefined) closeComposer(app);
  else sendText(app);
}
