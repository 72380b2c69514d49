# The server in one small image, with SQLite in a volume:
#   docker build -t broadsheet .
#   docker run -v data:/data -p 4500:4500 broadsheet
FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS build
WORKDIR /app
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile \
 && npx -y pnpm@12 --filter @broadsheet/server build \
 && npx -y pnpm@12 --filter @broadsheet/server deploy --prod --legacy /out

FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
ENV NODE_ENV=production DATABASE_URL=sqlite:/data/broadsheet.db
WORKDIR /data
RUN chown node:node /data
COPY --from=build /out /app
USER node
VOLUME /data
EXPOSE 4500
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:4500/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve", "--host", "::"]
