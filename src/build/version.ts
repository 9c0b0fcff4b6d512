/**
 * Runs in `npm version X`, when package.json and package-lock.json have the new version, and before they are committed: gives the
 * changes in CHANGELOG.md this version and the date. Everything else reads package.json.
 */

import {readFileSync, writeFileSync} from 'node:fs';
import {systemClock} from '#std/clock.ts';
import {releaseChanges} from './changelog.ts';

const {version}: {version: string} = JSON.parse(readFileSync('package.json', 'utf8'));
const date = new Date(systemClock.now()).toISOString().slice(0, 10);
try {
  writeFileSync('CHANGELOG.md', releaseChanges(readFileSync('CHANGELOG.md', 'utf8'), version, date));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
