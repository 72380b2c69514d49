/** One way to change an answer, within its schema. */
export type Mutation = 'absent' | 'null' | 'filled' | 'rtl' | 'astral' | 'html' | 'huge' | 'empty';
/** Every {@link Mutation}, in the order that a fuzz seed numbers them. */
export const MUTATIONS: readonly Mutation[] = ['absent', 'null', 'filled', 'rtl', 'astral', 'html', 'huge', 'empty'];
