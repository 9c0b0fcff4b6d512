import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {canPost} from '#state/selectors/permissions/channel-permissions.ts';
import {unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import {type Frame, shownConversation} from '#ui/core/frame.ts';
import {dividedScreen, terminalSize} from '#ui/layout/layout.ts';

const valueName = 'tour';

/** The saved progress: it outlives the program. */
type TourProgress = NonNullable<ReturnType<typeof savedProgress>>;

function savedProgress(app: App) {
  return readPersistedValue(app, valueName, (value) => {
    if (typeof value !== 'object' || value === null || !('step' in value) || !('isOn' in value)) return undefined;
    const {step, isOn} = value;
    return typeof step === 'number' && tourSteps[step] !== undefined ? {step, isOn: isOn === true} : undefined;
  });
}

/** Continues a tour that was on when the program ended. `isNewUser` begins one that never ran. */
export function continueTour(app: App, isNewUser: boolean): void {
  const {step, isOn} = savedProgress(app) ?? {step: 0, isOn: isNewUser};
  if (isOn) runTour(app, step);
}

/** Ends the tour, or continues it where it was ended. A complete tour begins again. */
export function toggleTour(app: App): void {
  const step = savedProgress(app)?.step ?? 0;
  if (app.screen.tour === undefined) {
    runTour(app, step);
    return;
  }
  const isComplete = step === tourSteps.length - 1;
  persistValue(app, valueName, {step: isComplete ? 0 : step, isOn: false});
  app.set(dividedScreen(terminalSize(app.screen), undefined));
}

/** Shows the instruction of each step until it is done, and then the next one. */
function runTour(app: App, from: number): void {
  let step = from;
  let before: Frame = app.frame;
  const begin = () => {
    before = app.frame;
    persistValue(app, valueName, {step, isOn: true} satisfies TourProgress);
  };
  const update = () => {
    const frame = app.frame;
    while (tourSteps[step]?.isDone(frame, before) === true) {
      step += 1;
      begin();
    }
    show(app, step, frame);
  };
  const stop = app.frames.subscribe(() => {
    if (app.screen.tour === undefined) stop();
    else update();
  });
  app.onEnd(stop);
  begin();
  update();
}

function show(app: App, step: number, frame: Frame): void {
  const {keys} = app.info;
  const shown = tourSteps[step];
  if (shown === undefined || keys === undefined) return;
  const key: KeyText = (id) => `\`${keys.keyOf(id)}\``;
  const text = wayTo(shown.place, frame, key) ?? shown.text(key, frame);
  const instruction = `\`Tour ${step + 1}/${tourSteps.length}\`  ${text} (${key('tour.toggle')} closes the tour)`;
  if (instruction !== app.screen.tour?.instruction) app.set(dividedScreen(terminalSize(app.screen), instruction));
}

/** Returns the key of a command in backticks. */
type KeyText = (commandId: string) => string;

/** Where a key of a step works: elsewhere the tour says how to get there. */
export type TourPlace = 'inbox' | 'conversation' | 'composer' | 'overlay' | 'view';

interface TourStep {
  readonly place: TourPlace;
  readonly text: (key: KeyText, frame: Frame) => string;
  /** Also true when the step is not possible. `before` is the frame with which the step began. */
  readonly isDone: (frame: Frame, before: Frame) => boolean;
}

export const tourSteps: readonly TourStep[] = [
  {
    place: 'inbox',
    text: (key) =>
      `These conversations have unread messages. Choose one with ${key('move.down')} and ${key('move.up')}, then press ${key('open')} to read it.`,
    isDone: (frame) => frame.screen.view.kind === 'messages' || hasNoUnread(frame),
  },
  {
    place: 'conversation',
    text: (key, frame) =>
      isWritingAllowed(frame)
        ? `Press ${key('reply')} to write a reply.`
        : `You may not write in this conversation. Press ${key('view.inbox')} to go to the inbox, and open another one.`,
    isDone: ({screen, info}) => screen.focus === 'composer' || info.isReadOnly,
  },
  {
    place: 'composer',
    text: (key, frame) =>
      `Type a few words. ${key(sendCommand(frame))} sends them; ${key('compose.close')} keeps them as a draft.`,
    isDone: ({screen, account}, before) => screen.focus !== 'composer' || account.outbox !== before.account.outbox,
  },
  {
    place: 'inbox',
    text: (key) => `Press ${key('conv.done')} to mark the conversation under the cursor as read.`,
    isDone: (frame, before) => actionCount(frame) > actionCount(before) || hasNoUnread(frame) || frame.info.isReadOnly,
  },
  {
    place: 'inbox',
    text: (key) => `Press ${key('undo')} to undo that.`,
    isDone: (frame, before) => actionCount(frame) < actionCount(before) || actionCount(frame) === 0,
  },
  {
    place: 'view',
    text: (key) => `Press ${key('go.anything')} to go to any conversation, channel or person.`,
    isDone: ({screen}) => screen.overlays.length > 0,
  },
  {
    place: 'overlay',
    text: (key) => `Type a few letters of a name and press ${key('menu.accept')}.`,
    isDone: ({screen}) => screen.overlays.length === 0,
  },
  {
    place: 'view',
    text: (key) => `Press ${key('help.overlay')} for the list of all keys.`,
    isDone: ({screen}) => screen.overlays.length > 0,
  },
  {
    place: 'overlay',
    text: (key) => `Type a word to find a key. ${key('menu.close')} closes the list.`,
    isDone: ({screen}) => screen.overlays.length === 0,
  },
  {
    place: 'view',
    text: (key) =>
      `The tour is complete. ${key('palette.open')} finds every command by its name, and ${key('app.cancel')} pressed twice quits.`,
    isDone: () => false,
  },
];

function isWritingAllowed({account, screen, minute}: Frame): boolean {
  const shown = shownConversation(screen);
  return shown === undefined || canPost(account, shown, minute).ok;
}

function sendCommand({screen, account}: Frame): string {
  const entersSends = screen.composer.sendKeys.enterSends ?? account.settings.enterSends ?? true;
  return entersSends ? 'compose.enter' : 'compose.send';
}

function actionCount({screen}: Frame): number {
  return screen.inbox.log.length;
}

function hasNoUnread({account}: Frame): boolean {
  return unreadCounts(account).total === 0;
}

/** Returns how to get to the place of a step; undefined in it. */
function wayTo(place: TourPlace, {screen}: Frame, key: KeyText): string | undefined {
  if (place === 'overlay' || place === 'composer') return undefined;
  if (screen.overlays.length > 0) return `Press ${key('menu.close')} to close this.`;
  if (screen.focus === 'composer') return `Press ${key('compose.close')} to leave the text field.`;
  if (place === 'view') return undefined;
  const {kind} = screen.view;
  if (place === 'inbox' && kind !== 'inbox') return `Press ${key('view.inbox')} to go to the inbox.`;
  if (screen.focus !== 'main') return `Press ${key('back')} to leave the list.`;
  if (place === 'conversation' && kind !== 'messages') return `Press ${key('open')} to open a conversation.`;
  return undefined;
}

const noteName = 'keys.note';
/** Longer than other toasts, and wrapped as a warning is: it is shown only once. */
const noteMs = 20_000;

/**
 * Tells a user of an earlier version once that done and undo have the same keys everywhere. New users see nothing, nor do those
 * whose own keymap has other keys. If another toast is shown, it waits for the next start.
 */
export function noteNewKeys(app: App, hasRunBefore: boolean): void {
  if (readPersistedValue(app, noteName, (value) => value === true)) return;
  const {keys} = app.info;
  const [done, undo, edit] = ['conv.done', 'undo', 'msg.edit'].map((id) => keys?.keyOf(id));
  const isShown = hasRunBefore && done === 'e' && undo === 'z' && edit === 'E';
  if (isShown && app.screen.toast !== undefined) return;
  // It is not shown again and again if it cannot be saved that it was shown.
  if (!persistValue(app, noteName, true) || !isShown) return;
  const text = 'e is done and z is undo everywhere now; E edits';
  app.toast({text, hint: 'old keys: preset = "zulip" in keys.toml'}, 'warning', noteMs);
}
