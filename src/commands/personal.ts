import {openAlertWordsList} from '#ui/personal/alert-words-list.ts';
import {openFileList} from '#ui/personal/file-list.ts';
import {openMutedPeopleList} from '#ui/personal/muted-people-list.ts';
import {openSnippetList, snippetProblem} from '#ui/personal/snippet-list.ts';
import type {Command} from './command.ts';

/** The lists of the user's own records. */
export const personalCommands: readonly Command[] = [
  {
    id: 'alertwords.open',
    title: 'Alert words',
    aliases: ['highlight words', 'keywords', 'add alert word', 'notify about a word', 'watch words'],
    contexts: ['nav'],
    run: openAlertWordsList,
  },
  {
    id: 'muted.open',
    title: 'Muted people',
    aliases: ['mute a person', 'mute user', 'unmute user', 'block', 'ignore', 'hide a person'],
    contexts: ['nav'],
    run: openMutedPeopleList,
  },
  {
    id: 'snippets.open',
    title: 'Saved snippets',
    aliases: ['snippets', 'templates', 'new snippet', 'edit snippet', 'canned responses'],
    contexts: ['nav'],
    disabledReason: ({state}) => snippetProblem(state),
    run: openSnippetList,
  },
  {
    id: 'files.open',
    title: 'My files',
    aliases: ['attachments', 'uploads', 'uploaded files', 'delete a file', 'storage', 'quota'],
    contexts: ['nav'],
    run: openFileList,
  },
];
