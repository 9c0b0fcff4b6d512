import {workerData} from 'node:worker_threads';
import {openExportFolder} from '#cli/export/export-folder.ts';
import type {ExportedMessage} from '#cli/export/export-messages.ts';
import {htmlFormat} from '#cli/export/html-format.ts';
import {writePages} from '#cli/export/write-pages.ts';

/** Runs in a worker with limited memory: saves many messages, and writes their pages. */
const {directory, count, characters} = workerData;
const site = 'https://chat.example.com';
const folder = openExportFolder(directory, {site, userId: 1, narrow: '[]'});

function message(id: number): ExportedMessage {
  return {
    id,
    timestamp: id,
    time: new Date(id * 1000).toISOString(),
    senderId: 1,
    senderName: 'Otto',
    conversation: {to: '#a>b', title: '#a › b', kind: 'topic', channelId: 1, channel: 'a', topic: 'b'},
    conversationKey: '1 b',
    content: 'x',
    text: 'x',
    links: [],
    isUnread: false,
    isMe: false,
    flags: [],
    reactions: [],
    editedAt: null,
    html: `<p>${'x'.repeat(characters)}</p>`,
    widget: null,
    history: null,
    files: [],
  };
}

for (let id = 1; id <= count; id += 500) folder.append(Array.from({length: 500}, (_, at) => message(id + at)));
await writePages(folder, htmlFormat, site);
