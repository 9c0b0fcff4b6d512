import {type Infer, int, object, timestamp} from '#wire/schema.ts';

export const mutedUser = object({id: int, timestamp});
export type MutedUser = Infer<typeof mutedUser>;
