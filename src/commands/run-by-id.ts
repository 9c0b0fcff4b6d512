import type {App} from '#ui/core/app.ts';
import type {OverlayState} from '#ui/core/overlay.ts';
import {markAsPeek} from '#ui/palette/palette.ts';
import type {Command, CommandRunner} from './command.ts';
import {activeContexts, isTyping, keysForCommand} from './keymap.ts';
import {paletteProblem} from './palette.ts';

/** A command as another program sees it. */
export interface CommandDescription {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  /** Why it cannot run now. */
  readonly disabled?: string;
}

/** What happened when another program ran a command. */
export type RunOutcome =
  | {readonly outcome: 'refused'; readonly reason: string}
  | {
      readonly outcome: 'ran' | 'warned';
      /** The toast that the command showed. */
      readonly message?: string;
      /** The title of the overlay that the command opened: it waits for a key of the user. */
      readonly asks?: string;
    };

/** While the user types, keys must not lose the text field that they are meant for. */
const typingMs = 3000;

export function describeCommands(app: App, {commands, keymap}: CommandRunner): readonly CommandDescription[] {
  return [...commands.values()].map((command) => {
    const {id, title} = command;
    const disabled = problemOf(app, command);
    return {id, title, keys: keysForCommand(keymap, id), ...(disabled !== undefined && {disabled})};
  });
}

/** Runs a command as the palette does, for another program. Returns undefined when there is no such command. */
export function runById(app: App, runner: CommandRunner, id: string): RunOutcome | undefined {
  const command = runner.commands.get(id);
  if (command === undefined) return undefined;
  if (isTyping(app) && app.clock.monotonic() - app.frames.keyAt < typingMs) {
    return {outcome: 'refused', reason: 'Somebody is typing in Parley: try again in a few seconds'};
  }
  const problem = problemOf(app, command);
  if (problem !== undefined) return {outcome: 'refused', reason: problem};
  while (app.screen.overlays.length > 0) app.closeOverlay();
  const {toast: before, view, hasWindowFocus} = app.screen;
  runner.run(app, id);
  app.frames.noteInput();
  app.accounts.afterInput?.(app);
  // No key says that somebody looks at the messages now, so they stay unread.
  if (app.screen.view !== view && hasWindowFocus === undefined) markAsPeek(app);
  const {toast, overlays} = app.screen;
  const top = overlays.at(-1);
  const shown = toast === undefined || toast.id === before?.id ? undefined : toast;
  return {
    outcome: shown === undefined || shown.tone === 'plain' ? 'ran' : 'warned',
    ...(shown !== undefined && {message: shown.text}),
    ...(top !== undefined && {asks: overlayTitle(top)}),
  };
}

/** Returns why the palette would refuse the command once the overlays are closed. Programs may run what is useful as a key only. */
function problemOf(app: App, command: Command): string | undefined {
  const contexts = activeContexts({...app.screen, overlays: []});
  return paletteProblem(app, {...command, isKeyOnly: undefined}, [...new Set([...contexts, 'nav', 'global'] as const)]);
}

export function overlayTitle(overlay: OverlayState): string {
  if (overlay.kind === 'form') return overlay.form.title;
  if (overlay.kind === 'card') return overlay.card.title;
  return overlay.picker.titleFor?.(overlay.field.text) ?? overlay.picker.title;
}
