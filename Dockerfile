# The team server in an image that holds nothing but it:
#
#   docker build -t cairn .
#   docker run -d --name cairn --read-only -v cairn:/data -p 127.0.0.1:7373:7373 cairn
#   docker exec cairn /usr/bin/cairn serve claim --url http://127.0.0.1:7373
#
# It speaks HTTP: put what has TLS in front of the port, or set CAIRN_SERVE_AUTOCERT and CAIRN_SERVE_LISTEN=:443.
# Every flag of cairn serve is a variable; docs/server.md has those with secrets.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /image/usr/bin/cairn . \
 && mkdir -p /empty /image/tmp /image/etc/ssl/certs \
 && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
 && echo 'cairn:x:65532:65532::/data:/sbin/nologin' > /image/etc/passwd \
 && echo 'cairn:x:65532:' > /image/etc/group \
 && chmod 1777 /image/tmp

FROM scratch
COPY --from=build /image /
COPY --from=build --chown=65532:65532 /empty /data
COPY LICENSE NOTICE /usr/share/doc/cairn/
USER 65532:65532
ENV HOME=/data CAIRN_SERVE_LISTEN=0.0.0.0:7373 CAIRN_SERVE_INSECURE=true
VOLUME /data
EXPOSE 7373
HEALTHCHECK --start-period=10s CMD ["/usr/bin/cairn", "serve", "health"]
ENTRYPOINT ["/usr/bin/cairn"]
CMD ["serve"]
