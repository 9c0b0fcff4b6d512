import {type CamelKeys, camelKeys} from '#std/camel.ts';
import type {WireFolder} from '#wire/objects/channel.ts';

export type Folder = CamelKeys<Omit<WireFolder, 'rendered_description'>>;

/** Converts a whole folder or a patch of one. */
export function folderFields<T extends {rendered_description?: string | undefined}>(wire: T) {
  const {rendered_description: _html, ...rest} = wire;
  return camelKeys(rest);
}
