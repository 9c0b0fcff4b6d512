import {pipeline} from 'node:stream/promises';
import {exitCodes, UsageError} from '#cli/io.ts';
import {apiVerb} from './account-verb.ts';
import type {VerbRunner} from './verb-table.ts';

/** Writes an uploaded file to standard output. */
export const download: VerbRunner<'download'> = apiVerb(async ({api, io, signal, words: [word = '']}) => {
  if (io.outputIsTty) throw new UsageError('The file goes to standard output. Add “> FILE”.');
  // As it is in a message: [name](/user_uploads/…).
  const address = /\]\(([^()\s]+)\)$/.exec(word)?.[1] ?? word;
  const {body} = await api.connection.download(address, {signal, isOwnOnly: true});
  await pipeline(body, io.stdout, {end: false, signal});
  return exitCodes.ok;
});
