import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {changePickerField, openPicker} from '#ui/overlays/picker.ts';
import {replaceAll} from '#ui/text/text-field.ts';

/** A command that is typed after a colon, as in vi. */
export interface LineCommand {
  /** The first name is the one that completion inserts. */
  readonly names: readonly string[];
  readonly title: string;
  /** Describes the words after the name, if it takes any. */
  readonly argument?: string;
  /** Returns why the command cannot run with these words. */
  readonly problem?: (frame: Frame, words: string) => string | undefined;
  readonly run: (app: App, words: string) => void;
}

type TypedCommand = ReturnType<typeof parseLine>;

function parseLine(text: string) {
  const line = text.trimStart().replace(/^:/, '');
  const [, name = '', space = '', words = ''] = /^(\S*)(\s*)(.*)$/s.exec(line) ?? [];
  return {name, words: words.trim(), hasArgument: space !== ''};
}

interface CommandRow extends PickerRow {
  readonly command: LineCommand;
}

/** Opens a line for the commands. Its rows complete the name; Enter runs the command, Tab completes it. */
export function openCommandLine(app: App, commands: readonly LineCommand[]): void {
  openPicker<CommandRow>(app, {
    id: 'command-line',
    title: 'Command line',
    placeholder: commands.map(({names}) => `:${names[0]}`).join('  '),
    columns: 64,
    rows: (frame, query) =>
      matching(commands, parseLine(query)).map((command) => commandRow(frame, command, parseLine(query))),
    empty: 'Unknown command',
    hint: {Enter: 'runs', Tab: 'completes', Esc: 'closes'},
    accept: (opened, {command}, how) => {
      const {words} = parseLine(typedText(opened));
      if (how === 'tab') {
        const completed = [command.names[0], words].join(' ');
        changePickerField(opened, (field) => replaceAll(field, completed));
        return;
      }
      opened.closeOverlay();
      command.run(opened, words);
    },
    // The colon that opened the line may be typed again.
    onKey: (opened, {text, name}, row) => {
      if (name === 'Enter' && row === undefined) opened.toast(unknownText(commands, typedText(opened)), 'warning');
      return (name === 'Enter' && row === undefined) || (text === ':' && typedText(opened) === '');
    },
  });
}

function typedText({screen}: App): string {
  const top = screen.overlays.at(-1);
  return top?.kind === 'picker' ? top.field.text : '';
}

/** Returns the commands of the typed name; without one, those whose name begins so. */
function matching(commands: readonly LineCommand[], {name, hasArgument}: TypedCommand): readonly LineCommand[] {
  const exact = commands.filter(({names}) => names.includes(name));
  if (exact.length > 0 || hasArgument) return exact;
  return commands.filter(({names}) => names.some((one) => one.startsWith(name)));
}

function commandRow(frame: Frame, command: LineCommand, {name, words}: TypedCommand): CommandRow {
  const {names, title, argument, problem} = command;
  const shown = names.includes(name) ? name : (names[0] ?? '');
  const isTyped = names.includes(name);
  return {
    command,
    key: names.join(' '),
    label: words === '' ? `:${shown}${argument === undefined ? '' : ` ${argument}`}` : `:${shown} ${words}`,
    detail: title,
    disabled: isTyped ? problem?.(frame, words) : undefined,
  };
}

function unknownText(commands: readonly LineCommand[], text: string): string {
  const known = commands.flatMap(({names}) => names.map((name) => `:${name}`)).join(' ');
  return `Unknown command: :${parseLine(text).name}. Known: ${known}`;
}
