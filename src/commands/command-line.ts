import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {composeProblem} from '#ui/composer/open-composer.ts';
import {isEmptyComposer, sendComposedMessage} from '#ui/composer/send-message.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openConversation, openNarrow} from '#ui/navigation/navigation.ts';
import {type LineCommand, openCommandLine} from '#ui/palette/command-line.ts';
import type {Command, CommandRunner} from './command.ts';
import {showKeys} from './help.ts';

/** Sends the text of the open composer, or saves the edit. Returns false when there is nothing to send. */
function write(app: App): boolean {
  const {composer} = app.screen;
  const hasText = composer.isOpen && (!isEmptyComposer(composer) || composer.editing !== undefined);
  const problem = hasText ? composeProblem(app) : 'Nothing to send or save';
  if (problem !== undefined) app.toast(problem, 'warning');
  else sendComposedMessage(app);
  return problem === undefined;
}

/** Returns why the words name no conversation. `#channel > topic` may have spaces around `>`. */
function destinationOf({account}: Pick<Frame, 'account'>, words: string) {
  return parseDestination(account, words.replace(/\s*>\s*/, '>'));
}

function openNamed(app: App, words: string): void {
  const found = destinationOf(app.frame, words);
  if (found.kind === 'conversation') openConversation(app, found.conversation);
  else if (found.kind === 'narrow') openNarrow(app, found.narrow);
}

function lineCommands(runner: CommandRunner): readonly LineCommand[] {
  return [
    {names: ['q', 'q!', 'qa', 'qa!', 'quit'], title: 'Quit; drafts are kept', run: ({device}) => device.quit()},
    {names: ['w'], title: 'Send the message, or save the edit', run: (app) => void write(app)},
    {
      names: ['wq', 'x'],
      title: 'Send or save, then quit',
      run: (app) => {
        if (!app.screen.composer.isOpen || write(app)) app.device.quit();
      },
    },
    {
      names: ['e', 'edit'],
      title: 'Open a conversation',
      argument: '#channel > topic, or @person',
      problem: (frame, words) => {
        const found = destinationOf(frame, words);
        return found.kind === 'problem' ? found.problem : undefined;
      },
      run: openNamed,
    },
    {
      names: ['help', 'h'],
      title: 'Find a key or a command',
      argument: 'words',
      run: (app, words) => showKeys(app, runner, words),
    },
  ];
}

export const commandLineCommands: readonly Command[] = [
  {
    id: 'command.line',
    title: 'Command line: :q, :w, :e, :help',
    aliases: ['ex commands', 'vim command line', 'colon'],
    contexts: ['nav'],
    hint: 'command line',
    hints: {NAV: 0},
    run: (app, _press, runner) => openCommandLine(app, lineCommands(runner)),
  },
];
