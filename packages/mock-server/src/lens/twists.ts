/** One way to tell the same answer differently, within its schema. */
export type Twist = 'absent' | 'null' | 'filled' | 'rtl' | 'astral' | 'html' | 'huge' | 'empty';
/** Every {@link Twist}, in the order that a fuzz seed numbers them. */
export const TWISTS: readonly Twist[] = ['absent', 'null', 'filled', 'rtl', 'astral', 'html', 'huge', 'empty'];
