for i in $(seq 149); do echo "step $i of the long migration is done"; done
echo "the key is AKIA""IOSFODNN7EXAMPLE"
for i in $(seq 151); do echo "step $i of the long migration is done"; done
echo "error: the disk is full at store.go:42"
exit 3
