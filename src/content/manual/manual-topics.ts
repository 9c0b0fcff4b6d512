import {readAsset} from '#std/program-files.ts';

/** A chapter of the manual: `assets/help/<id>.md`. */
export interface ManualTopic {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
}

export const manualTopics: readonly ManualTopic[] = [
  {id: 'keys', title: 'Keys', summary: 'all keys, and how to change them'},
  {
    id: 'views',
    title: 'Views',
    summary: 'saved searches in the sidebar, two conversations at once, catching up after an absence',
  },
  {id: 'command-line', title: 'Command line', summary: 'verbs, JSON, exit codes, scripts'},
  {id: 'operations', title: 'Operations', summary: 'what the service can do: commands, keys, verbs'},
  {id: 'settings', title: 'Settings', summary: 'config.toml and environment variables'},
  {id: 'rules', title: 'Rules', summary: 'rules.toml: what happens to new messages by itself'},
  {id: 'control', title: 'Control', summary: 'status bars, and other programs that control Parley'},
  {id: 'organizations', title: 'Organizations', summary: 'several accounts at once: one inbox for all'},
  {id: 'own-commands', title: 'Own commands', summary: 'commands that run your programs'},
  {id: 'serving', title: 'Serving', summary: 'the embedded server, for two people or a team'},
  {id: 'deploying', title: 'Deploying', summary: 'the server with systemd, a proxy or a container'},
  {id: 'operating', title: 'Operating', summary: 'health, numbers and what else the operator of a team’s server needs'},
  {id: 'ssh', title: 'SSH', summary: 'the screen and the verbs over SSH, without installing anything'},
  {id: 'moving', title: 'Moving', summary: 'from the embedded server to a full Zulip server'},
  {
    id: 'offline-and-privacy',
    title: 'Offline and privacy',
    summary: 'saved messages, outbox, what others see',
  },
  {id: 'images', title: 'Images', summary: 'how terminals show them, the viewer, the clipboard'},
  {id: 'terminals', title: 'Terminals', summary: 'colours, mouse, copying, tmux'},
  {id: 'screen-readers', title: 'Screen readers', summary: 'speech and braille, on the screen or line by line'},
  {id: 'troubleshooting', title: 'Troubleshooting', summary: 'what to check when something does not work'},
];

/** Returns the Markdown of a chapter. */
export function readManualTopic({id}: ManualTopic): string {
  return readAsset(`help/${id}.md`);
}
