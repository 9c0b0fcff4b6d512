import {commonOptions, type Verb} from '#cli/verbs/verb.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';

/** The verbs that print text without a server. */
export const manualRecords = {
  render: {
    summary: 'show Markdown from standard input as a message',
    usage: ['[--width N] [--world FILE] < FILE'],
    arguments: {min: 0, max: 0},
    options: {
      width: {
        type: 'number',
        value: 'N',
        min: 1,
        max: 1000,
        summary: 'width in columns (default: as the terminal, else 80)',
      },
      color: {
        type: 'choice',
        choices: ['never', '16', '256', 'true'],
        summary: 'number of colours (default: detected)',
      },
      world: {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'JSON with the users, channels and settings of an organization',
      },
      expanded: {type: 'flag', summary: 'show spoilers'},
      json: commonOptions.json,
      help: commonOptions.help,
    },
    notes: [
      'FILE may have "realm_url", "users" ({"id", "full_name"}), "groups" ({"id", "name", "members"}), "channels" ({"id", "name"}), "linkifiers" ({"pattern", "url_template"}), "emoji" or "custom_emoji" ({"id", "name", "source_url"}), "self" (an id), "sender" (a name, for /me), "alert_words", "time_zone", "hour12", "translate_emoticons", "default_code_language".',
      'With --json: {"lines": […], "links": [{"text", "url"}…]}, with spoilers shown, without link numbers and file marks, and 300 columns wide unless --width is given.',
    ],
  },
  help: {
    summary: 'show a chapter of the manual, or the options of a verb',
    usage: ['[TOPIC | VERB]'],
    arguments: {min: 0, max: 1, completes: manualTopics.map(({id}) => id)},
    options: {
      color: {
        type: 'choice',
        choices: ['never', '16', '256', 'true'],
        summary: 'number of colours (default: detected)',
      },
      help: commonOptions.help,
    },
    notes: manualTopics.map(({id, summary}) => `parley help ${id}: ${summary}.`),
  },
  man: {
    summary: 'print the man page',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: {help: commonOptions.help},
    notes: ['“parley man | man -l -” shows it. A package installs it as share/man/man1/parley.1.'],
  },
  completion: {
    summary: 'print a completion script for a shell',
    usage: ['bash|zsh|fish'],
    arguments: {min: 1, max: 1, completes: ['bash', 'zsh', 'fish']},
    options: {help: commonOptions.help},
    notes: [
      'bash: eval "$(parley completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: parley completion fish > ~/.config/fish/completions/parley.fish',
    ],
  },
} as const satisfies Readonly<Record<string, Verb>>;
