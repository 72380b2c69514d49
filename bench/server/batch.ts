/** The body of a request for four ads. */
export const batch = JSON.stringify({
  slots: ['BANNER', 'SIDEBAR', 'INLINE', 'POPUP'].map((format, index) => ({ slotId: `slot-${index}`, format })),
});
