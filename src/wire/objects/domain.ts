import {type Infer, object, s} from '#wire/schema.ts';

export const domain = object({domain: s.string(), allow_subdomains: s.boolean()});
export type Domain = Infer<typeof domain>;
